"""The only font of a browser under test, so that lines break at the same places everywhere."""

from __future__ import annotations

from pathlib import Path

from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped]
from fontTools.ttLib.tables._g_l_y_f import Glyph  # type: ignore[import-untyped]

UNITS, ADVANCE = 1000, 500
"""Every letter is half as wide as the font is high, about the mean of a font for reading."""
ASCENT, DESCENT = 800, 200
LETTERS = range(0x20, 0x3000)
GLYPHS = (".notdef", "letter")
CONFIGURATION = "<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>"


def only_font(folder: Path) -> dict[str, str]:
    """The environment of a browser that has no other font, which is written into the folder."""
    _font().save(folder / "steady.ttf")
    configuration = folder / "fonts.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder), "utf-8")
    return {"FONTCONFIG_FILE": str(configuration)}


def _font() -> FontBuilder:
    font = FontBuilder(UNITS, isTTF=True)
    font.setupGlyphOrder(list(GLYPHS))
    font.setupCharacterMap(dict.fromkeys(LETTERS, "letter"))
    font.setupGlyf({name: Glyph() for name in GLYPHS})
    font.setupHorizontalMetrics(dict.fromkeys(GLYPHS, (ADVANCE, 0)))
    font.setupHorizontalHeader(ascent=ASCENT, descent=-DESCENT)
    font.setupNameTable({"familyName": "Steady", "styleName": "Regular"})
    font.setupOS2(sTypoAscender=ASCENT, usWinAscent=ASCENT, usWinDescent=DESCENT)
    font.setupPost()
    return font
