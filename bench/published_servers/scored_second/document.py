"""Makes a PDF of two pages: `python document.py FILE`."""

import sys
from pathlib import Path

TEXTS = ("Black tea", "Green tea")


def document() -> bytes:
    """The bytes of a PDF with one line of text on each page."""
    kids = " ".join(f"{3 + 2 * page} 0 R" for page in range(len(TEXTS)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(TEXTS)} >>",
    ]
    font = 3 + 2 * len(TEXTS)
    box = "/MediaBox [0 0 612 792]"
    for page, text in enumerate(TEXTS):
        drawn = f"BT /F1 24 Tf 72 720 Td ({text}) Tj ET"
        resources = f"/Resources << /Font << /F1 {font} 0 R >> >>"
        objects += [
            f"<< /Type /Page /Parent 2 0 R {box} /Contents {4 + 2 * page} 0 R {resources} >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        ]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    text = "%PDF-1.4\n"
    starts = []
    for number, body in enumerate(objects, 1):
        starts.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    size = len(objects) + 1
    end = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return f"{text}xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode()


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(document())
