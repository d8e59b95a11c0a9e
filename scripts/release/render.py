"""Fills in the templates of other package managers:

    scripts/release/render.py ADDRESS VERSION SUMS FOLDER

ADDRESS is that of the repository, and SUMS the output of sha256sum for all files of the release. In a template
`@SUM file@` becomes the sum of that file.
"""

import re
import sys
from pathlib import Path

address, version, sums, folder = sys.argv[1:]
known = {"ADDRESS": address, "VERSION": version, "DOWNLOADS": f"{address}/releases/download/v{version}"}
# sha256sum writes a sum, a blank, a mark of the mode and the name.
lines = Path(sums).read_text(encoding="utf-8").splitlines()
sum_of = {name.lstrip(" *"): value for value, name in (line.split(" ", 1) for line in lines)}
templates = Path(__file__).parent / "templates"
for template in sorted(path for path in templates.rglob("*") if path.is_file()):
    text = re.sub("@([A-Z]+)@", lambda found: known[found[1]], template.read_text(encoding="utf-8"))
    try:
        text = re.sub("@SUM ([^@]+)@", lambda found: sum_of[found[1]], text)
    except KeyError as missing:
        sys.exit(f"{template.name}: {sums} has no sum of {missing}")
    rendered = Path(folder) / template.relative_to(templates)
    rendered.parent.mkdir(parents=True, exist_ok=True)
    rendered.write_text(text, encoding="utf-8", newline="\n")
    print(rendered)
