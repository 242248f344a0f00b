"""`python -m cms_host` is `cms-host`."""

from cms_host.cli import main

if __name__ == "__main__":
    main()
