"""System tasks and functions, sorted by what they let a design do."""

from __future__ import annotations

__all__ = ["ENDS", "FILES", "HARMLESS", "HOST", "PRINTS", "READS", "SIMULATION_ONLY"]


def _words(text: str) -> frozenset[str]:
    return frozenset(f"${word}" for word in text.split())


# End the simulation, or stop it and wait.
ENDS = _words(
    """
    finish stop fatal exit
    """
)

# Write to the output that a bench is judged by.
PRINTS = _words(
    """
    display displayb displayh displayo write writeb writeh writeo monitor monitorb monitorh
    monitoro monitoron monitoroff strobe strobeb strobeh strobeo error warning info
    printtimescale showscopes showvars list scope
    """
)

# Open, write or read files.
FILES = _words(
    """
    fopen fclose fdisplay fdisplayb fdisplayh fdisplayo fwrite fwriteb fwriteh fwriteo
    fmonitor fmonitorb fmonitorh fmonitoro fstrobe fstrobeb fstrobeh fstrobeo fgetc ungetc
    fgets fscanf fread fseek ftell rewind fflush feof ferror writememb writememh sreadmemb
    sreadmemh sdf_annotate dumpfile dumpvars dumpon dumpoff dumpall dumplimit dumpflush
    dumpports dumpportsoff dumpportson dumpportsall dumpportslimit dumpportsflush log nolog
    key nokey input save restart incsave reset getpattern
    """
)

# See or change what is outside the simulation.
HOST = _words(
    """
    system test$plusargs value$plusargs getenv plusargs
    """
)

# Fill a memory from a file; allowed inside the work folder.
READS = _words(
    """
    readmemh readmemb
    """
)

# Pure functions.
HARMLESS = _words(
    """
    clog2 signed unsigned bits size left right low high increment dimensions
    unpacked_dimensions countones countbits onehot onehot0 isunknown cast typename itor rtoi
    realtobits bitstoreal shortrealtobits bitstoshortreal ln log10 exp sqrt pow floor ceil
    sin cos tan asin acos atan atan2 hypot sinh cosh tanh asinh acosh atanh rose fell stable
    changed past sampled
    """
)

# Mean nothing in hardware, but cannot cheat.
SIMULATION_ONLY = _words(
    """
    random urandom urandom_range dist_uniform dist_normal dist_exponential dist_poisson
    dist_chi_square dist_t dist_erlang time stime realtime timeformat sformatf sformat
    swrite swriteb swriteh swriteo
    """
)
