"""The benchmark: the real service and the bare floors under one load, in one run (see `bench/README.md`)."""
