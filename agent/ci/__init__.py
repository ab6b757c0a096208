"""Checks the designs of a repository: manifest, results for CI systems, fixes as a patch."""
