"""`python -m rtl_agent.agent.cli`: the command line where no script is on the path (torchrun)."""

from .main import main

if __name__ == "__main__":
    main()
