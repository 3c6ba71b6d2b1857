"""The same in other natural languages, one module each."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.tables.speech.any_language import ANY_LANGUAGE
from mcp_assay.judge.errors.tables.speech.arabic import ARABIC
from mcp_assay.judge.errors.tables.speech.chinese import CHINESE
from mcp_assay.judge.errors.tables.speech.czech import CZECH
from mcp_assay.judge.errors.tables.speech.dutch import DUTCH
from mcp_assay.judge.errors.tables.speech.french import FRENCH
from mcp_assay.judge.errors.tables.speech.german import GERMAN
from mcp_assay.judge.errors.tables.speech.greek import GREEK
from mcp_assay.judge.errors.tables.speech.hindi import HINDI
from mcp_assay.judge.errors.tables.speech.indonesian import INDONESIAN
from mcp_assay.judge.errors.tables.speech.italian import ITALIAN
from mcp_assay.judge.errors.tables.speech.japanese import JAPANESE
from mcp_assay.judge.errors.tables.speech.korean import KOREAN
from mcp_assay.judge.errors.tables.speech.polish import POLISH
from mcp_assay.judge.errors.tables.speech.portuguese import PORTUGUESE
from mcp_assay.judge.errors.tables.speech.russian import RUSSIAN
from mcp_assay.judge.errors.tables.speech.spanish import SPANISH
from mcp_assay.judge.errors.tables.speech.swedish import SWEDISH
from mcp_assay.judge.errors.tables.speech.turkish import TURKISH
from mcp_assay.judge.errors.tables.speech.ukrainian import UKRAINIAN
from mcp_assay.judge.errors.tables.speech.vietnamese import VIETNAMESE

SPEECH: Final = (
    GERMAN
    + FRENCH
    + SPANISH
    + PORTUGUESE
    + ITALIAN
    + RUSSIAN
    + CHINESE
    + JAPANESE
    + KOREAN
    + DUTCH
    + POLISH
    + TURKISH
    + SWEDISH
    + CZECH
    + UKRAINIAN
    + ARABIC
    + HINDI
    + VIETNAMESE
    + INDONESIAN
    + GREEK
    + ANY_LANGUAGE
)
