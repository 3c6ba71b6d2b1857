"""Words by which tools say that they only read, and those by which they say that they do not."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, CHANGING_AS_VERBS, LOOKING
from mcp_assay.text.names import word_set

READING: Final = LOOKING | word_set(
    """
    access aggregate analyse answer assert assess audit autocomplete brainstorm cite classify
    collect correlate crawl deduce detect determine diagnose discuss display dump echo enumerate
    examine explore extract filter forecast gather give greet grep guess hash help identify include
    indicate infer interpret introspect investigate lint locate map match measure monitor observe
    obtain parse ping poll predict present print probe proofread provide rank recall recommend
    report resolve return review sample scan scrape screen see select simulate solve stream suggest
    sum survey tell trace traverse triage understand visualise visualize wait
    """
)
"""Verbs for what leaves everything as it is."""
NAMES_OF_READERS: Final = READING - word_set("access answer give help include print tell")
"""Those that make a name that of a tool which reads, wherever they stand in it."""
DEEDS_FIRST: Final = word_set(
    """
    access answer collect combine give include map present print provide report return
    screen select tell
    """
)
"""Those that are done to something where a name begins with them: report a user, return an item."""
MAKING: Final = word_set(
    """
    combine convert decode decrypt encode encrypt format gen generate group highlight minify pick
    render roll sort tokenize transform translate
    """
)
"""Verbs that make one text of another: they leave everything as it is, where no file is meant."""
CONVERTING: Final = word_set(
    """
    approximate average beautify capitalize concatenate convert decode derive encode escape geocode
    interpolate intersect invert lowercase minify negate normalise normalize outline paraphrase
    prettify render rephrase reproject reverse round simplify slugify stringify tokenise tokenize
    translate transliterate transpose unescape uppercase
    """
)
"""Those that begin the description of a tool whose name is for what comes of it."""
GIVEN_TEXTS: Final = word_set("a an given input one string text two")
"""Behind a verb that converts one of these begins what is given to it, not what is stored."""
PLAIN_LOOKS: Final = word_set("describe fetch find get list read search show view")
"""Behind a thing these are verbs as well as things: an issue view, and to view an issue."""
RUNNING: Final = word_set("conduct do execute make perform run")
"""Verbs that only read where what is run does."""
INERT: Final = word_set(
    """
    accept allow apply avoid call cause choose confirm contain correspond cover decide default
    depend expect fall guide handle hesitate ignore keep know learn let limit mean narrow need note
    offer omit page paginate pass point prefer proceed pull reach refer reference refine rely
    require restrict reuse skip specify state supply support take treat try use wait want work
    """
)
"""Verbs for what a tool is like, and for what callers are told to do: they change nothing."""

CHANGING: Final = (
    ALWAYS_CHANGING
    | CHANGING_AS_VERBS
    | word_set(
        """
        accept acknowledge acquire activate adjust allocate amend announce authenticate authorize
        begin bind blacklist boot breed brew bump bypass cache calibrate capture claim clean cleanse
        collapse compact complete compose compress configure confirm consume control debit
        decompress decrement deduct define defragment demote deny deprecate dequeue deregister dial
        disarm discard dismiss divide donate downgrade download downvote drain draw embed empty end
        enforce enroll ensure escalate evict expel expire export extend finalize finish fix flag
        flatten flip freeze fulfil generate halt harden hibernate hide hijack hire hold impersonate
        implement inflate inject instantiate integrate interact interrupt invalidate isolate issue
        label link liquidate load lower manage mint mount multiply mute nudge obfuscate offload
        onboard open optimize orchestrate override pack pair park partition paste place play plug
        poke pop populate preload prepare process produce promote propose provision pull quarantine
        quit raise react rearrange rebuild receive recompute reconfigure record recover recycle
        redeem redirect reduce refresh remember memorize regenerate reindex reinstall relabel
        relaunch release relocate remind renew repair replicate reprocess request requeue reserve
        reshape respond retag retire rewrite sanitize scale scramble seal seed seize settle shift
        ship shred shrink shuffle shut silence snapshot snooze speak spin split squash stage stake
        steal stir subtract summon suppress swipe synchronize take tamper thaw throttle throw tidy
        transcode transmit trash trim tune tweak type undeploy unfreeze unmount unmute unpack unpin
        untrack unzip upvote vacuum void wake warm withhold yank zap zip
        """
    )
)
"""Verbs for what may leave something changed."""

ANSWERS: Final = word_set(
    """
    abs acos age analyses analysis analytics answer answers area asin atan atan2 availability
    average azimuth balance bearing benchmark breakdown calculation calculations calculator calendar
    capabilities catalog centroid ceil ceiling changelog comparison comparisons computation config
    configuration content contents context conversion converter correlation cos cosine count counts
    data date datetime datetimes definition definitions demographics dependencies derivative
    description details deviation diagnostics diff difference dimensions distance docs documentation
    duration eigenvalues elevation estimate estimates evaluation evidence exp explanation factorial
    factors floor forecast forecasts frequency gcd geocoder guide headlines health help hierarchy
    hint hints histogram history ids index indicators info information inspection inspector insights
    instructions integral interest interval inventory items keywords kurtosis lcm leaderboard length
    limits linter list listing listings location log10 logarithm logs lookup max maximum mean
    measurements median members meta metadata metrics min minimum mode modulo name names neighbors
    neighbours news number numbers odds opportunities optimum outline outlook overview package
    parser percentage percentile performance perimeter permissions ping position power prediction
    predictions preview price prices primes probability product products profile projection
    properties quantile quote quotes quotient ranking rankings rate rates ratio readiness readings
    recipe recipes recommendation recommendations reference references regression relations
    remainder requirements result results reviews root rules runtime sample schema schemas score
    scores screener search segments sentiment settings similarity simulation sin size sizes skewness
    snapshot specification spectrum sqrt standings state statement statements statistics stats
    status statuses std structure subtraction suggestion suggestions sum summaries summary symbols
    tables tan temperature templates text time timeline timeseries timestamp timezone timezones
    today tools topics total totals tree trend trending trends types uptime usage validation
    validator value values variance verification version versions volatility volume weather whoami
    """
)
"""What tools answer: names and descriptions that end in one of these, and have no verb, say so."""
GIVEN: Final = word_set(
    """
    brightness color colour enabled level mode off on power speed state value volume
    """
)
"""Arguments with which what a tool is named by is set: the volume and its level."""
DETERMINERS: Final = word_set(
    """
    all available current how latest recent the these upcoming what when where whether which who
    """
)
"""One of these begins what is a thing: all links of a page, which state it is in."""

OTHERWISE: Final[dict[str, frozenset[str]]] = {
    "apply": word_set("change changes discount edits fix fixes patch patches update updates"),
    "collect": word_set("debt debts fee fees payment payments rent reward rewards"),
    "keep": word_set("alive copy record track"),
    "map": word_set("drive key keys network port ports volume"),
    "accept": word_set(
        "call changes cookies friend invitation invite offer order payment request suggestion terms"
    ),
    "call": word_set("contact customer emergency number phone taxi user"),
    "pull": word_set("branch changes commits image images model repo repository"),
    "solve": word_set("captcha captchas challenge"),
    "take": word_set(
        "action control down note notes off over photo photos picture pictures screenshot seat "
        "snapshot"
    ),
    "select": word_set(
        "checkbox dropdown element item items option options radio seat seats tab tabs"
    ),
    "sample": word_set("audio microphone"),
    "check": word_set("in out off"),
    "convert": word_set("account coins credits lead leads miles points shares trial"),
    "confirm": word_set(
        "action appointment booking change changes deletion email it order orders payment purchase "
        "registration removal reservation subscription transaction transfer"
    ),
    "dump": word_set(
        "archive backup data database db disk file files garbage heap into memory process queue "
        "sql table tables to trash"
    ),
    "display": word_set("alert banner dialog message notification popup toast window"),
    "extract": word_set("archive archives tar zip"),
    "autocomplete": word_set("field fields form"),
    "fetch": word_set("changes refs"),
    "recall": word_set("email message messages product"),
    "get": word_set("focus hold lease lock reservation rid"),
    "let": word_set("go loose"),
    "print": word_set("document it label page paper photo picture printer receipt"),
    "read": word_set("aloud"),
    "resolve": word_set("alert comment conflict dispute incident issue issues thread ticket"),
    "roll": word_set("deployment deployments release"),
    "use": word_set("credit credits quota"),
    "stream": word_set("audio music song to video"),
    "show": word_set("alert banner dialog message notification popup toast window"),
}
"""Verbs that read, and words close behind them with which they do something."""
DEALING: Final = re.compile(
    r"\b(?:list|offer|place|put)s?\b[^.()]*\bfor sale\b|\bon (?:the|a) market"
    r"|^lists? (?:an?|this|your) (?:item|product|property|token)\b",
    re.IGNORECASE,
)
"""What is listed so is offered."""

OBJECTS: Final = word_set(
    """
    a all an another any anything both each every everything her him it its new one several some
    the their them these this those two what whatever your you
    """
)
"""Behind a verb one of these is, or begins, what it does something to."""
NO_VERBS: Final = word_set(
    """
    about across after against all along also among and are around as at based be because before
    besides between both but by currently despite during each either else etc every except for from
    given has have how if in including inside into is it its latest may might more most must near
    never not of off on once only onto optionally or other out over per plus regarding same should
    since so such than that the then these they this those through to under unless until up upon
    using via was were what when where whether which while who whose will with within without would
    """
)
"""Words that are no verbs, though one of those may follow them."""
SUBJECT: Final = re.compile(
    r"^(?:please |always |first |then |also |optionally )*"
    r"(?:(?:this|the|a|an|it|you) )?(?:simple |safe |handy )?"
    r"(?:(?:tool|function|method|command|endpoint|api) )?"
    r"(?:that |which |to |for |will |can |lets you |allows you to |is used to |used to "
    r"|should be used to |may be used to |use (?:this|it)(?: tool| function)? (?:to|for) )*",
    re.IGNORECASE,
)
"""How a sentence begins before it comes to the deed."""
_ADVERB: Final = r"(?!(?:app|comp|imp|multip|re|rep|supp)ly\b)[a-z]+ly"
DEED_BEHIND: Final = re.compile(
    r"(?:\b(?P<before>and|or|then|to|will|can|also|automatically|else|by|but|this"
    r"|(?:(?<!s )|(?<=tools ))that|it|while|after|thereby|thus)\s+"
    r"|[,;]\s+(?:(?:and|but|or)\s+)?|[(/&]\s*|(?:--|\s-|[\u2013\u2014\u2192])\s*)"
    rf"(?:(?:then|also|to|will|it|this|thereby|thus|{_ADVERB})\s+)*"
    r"(?:(?:auto|batch|bulk|force|hard|mass|re|soft)-)?(?P<deed>[A-Za-z]+)\b(?!-)",
)
"""A place in a sentence where another deed may stand.

Behind "things that" stands what those do.
"""
THING_BEHIND: Final = word_set(
    """
    all any available each every its last latest many more most new no number of other our past
    pending previous recent several some the their these those your
    """
)
"""Behind one of these stands a thing, even if it sounds like a deed: the latest edits."""
OUTRIGHT: Final = re.compile(
    r"\bnot read[ -]?only\b|(?<!non-)(?<!not )\bdestructive\b|\birreversibl[ey]\b|\bundone\b"
    r"|\b(?:cleanup|deletion|removal|rotation) of\b|\bhappens? automatically\b"
    r"|\breturns? an? (?:\w+_ids?|(?:job|request|run|session|task) id)\b"
    r"|(?<!without )(?<!without a )(?<!no )\b(?:headless|real) (?:browser|chrom(?:e|ium))\b"
    r"|\b(?:playwright|puppeteer|selenium)\b"
    r"|\b\w+ed (?:in[ -]place|on (?:access|demand|the fly))\b"
    r"|\bto (?:a|the|your) local \w+"
    r"|(?<!access )(?<!belong )(?<!close )(?<!compared )(?<!link )(?<!path )(?<!paths )"
    r"(?<!relative )\bto (?:a|an) (?:directory|file|folder)\b"
    r"|\binto (?:a|the|your) (?:\w+ )?(?:directory|file|folder|table)\b"
    r"|^side[ -]effects?\b|\b(?:a|as|causes?|has|have|with) (?:\w+ )?side[ -]effects?\b",
    re.IGNORECASE,
)
"""What a description says of a tool that changes something, whatever that may be.

A browser that is started writes its profile.
"""
ASIDE: Final = re.compile(
    r"\b(?:when(?:ever)?|whether|if|unless|until|once|instead of|rather than|before|prior to)\b"
    r"(?:(?!\b(?:and|or|then) \w+ (?:all|an?|it|its|the|their|them|this)\b)"
    r"(?:[^,;:.()]|\.(?=\w)|\([^()]*\)))*",
    re.IGNORECASE,
)
"""A clause on something else than what the tool does."""
INCLUDED: Final = re.compile(
    r"\b(?:including|such as)(?! \w+ing\b)(?: (?:\w+[ ,/&-]{1,2}){1,8}\w+)(?=[.;:)]|$)",
    re.IGNORECASE,
)
"""Things that belong to what is read, up to the end of a clause: they are no deeds."""
DENIED: Final = re.compile(
    r"\b(?:(?:does|do|did|is|are|will|can|must) )?(?:without|never|not|cannot|\w+n't)"
    r"(?: (?:be|actually|ever))? \w+(?: (?:or|and|nor) \w+)?"
    r"|\bnot (?:be )?used? (?:it |this )?(?:for|to|when) \w+"
    r"|\b(?:no|nothing)(?: \w+){0,3} (?:is|are|will be) \w+(?:, \w+){0,4}"
    r"(?:,? (?:or|and|nor) \w+)?",
    re.IGNORECASE,
)
_TOOL_NAME: Final = r"(?:the )?[`'\"]?(?:(?!\w+-\w*ing\b)\w+[_-]\w+|(?-i:[a-z]+[A-Z]\w*))"
OTHER_TOOL: Final = re.compile(
    rf"(?:\bto [^.,;]{{1,40}},? )?\b(?:use|call|see|try|run|prefer|switch to) {_TOOL_NAME}[^.,;]*"
    rf"|\b(?:with|by|calling|using|from|after|via) {_TOOL_NAME}",
    re.IGNORECASE,
)
"""Words about another tool, which is named in them."""
BECOMING: Final = re.compile(
    r"(?<!that )(?<!which )(?<!can )(?<!could )(?<!may )(?<!might )(?<!to )(?<!must )"
    r"(?<!already )\b(?:is|are|be|gets?|being) (?:then |also |automatically )?(\w+)\b",
    re.IGNORECASE,
)
"""What is done to things; what is told of things that are in a state is not meant."""
PARTICIPLES: Final = word_set(
    """
    billed bought broadcast forgotten gone lost overwritten paid reset rewritten run sent sold spent
    taken  texted told withdrawn written
    """
)
"""Those of changing verbs that end neither in -ed nor as the verbs do."""
_OPERAND: Final = (
    r"(?:a|all|an|and|another|any|array|b|by|first|from|given|list|more|number|of|one|or|second|some"
    r"|the|these|three|to|together|two|up|with)"
)
TESTED: Final = re.compile(
    r"\btests? (?:(?:a|an|the|your|api|database|network|server) )*(?:\w+ )?"
    r"(?:authentication|connection|connectivity|credentials|expression|if|pattern|regex|string|whether)\b",
    re.IGNORECASE,
)
"""Tests that only look, not those that run programs."""
SUM: Final = re.compile(
    rf"\b(?:add|divide|mod|multipl(?:y|ie)|subtract)s? (?:{_OPERAND} ){{0,8}}"
    r"(?:(?:(?:decimal|float|integer|real|whole) )?"
    r"(?:numbers|integers|floats|fractions|matrices|polynomials|vectors|(?:by|from|to) another)\b"
    r"(?! (?:from|in|into|on|onto|to)\b)"
    r"|[ab]\b(?=\s*(?:[.,;)]|$|and\b)))"
    r"|\b(?:add|subtract)s? (?:an?|one) [\w-]+ (?:from|to) another\b"
    r"|\b(?:collapse|flatten)s? (?:an?|the|two) (?:array|list|sequence|set)s? of [\w-]+"
    r" (?:in)?to\b"
    r"|\braises? (?:a|one|the) (?:base|number|value) to (?:a|an|another|the)\b",
    re.IGNORECASE,
)
"""Arithmetic, by which nothing is added to anything."""
MADE: Final = re.compile(
    r"\b(?:build|compose|construct|create|produce)s? (?:an? |the )?(?:[\w-]+ ){0,3}"
    r"(?:chart|diagram|embeddings?|overview|plot|query|summar(?:y|ies)|visuali[sz]ation)s?\b"
    r"(?=\W*$|[.,;:)]| \(| (?:about|based|by|for|from|of|showing|that|using|with)\b)",
    re.IGNORECASE,
)
"""What is made so is an answer, where nothing else is done with it."""
DECLARED: Final = re.compile(
    r"(?:^|\. |\n\s*)(?:(?:this (?:tool|function|operation|command)|it|this) is )?(?:a )?"
    r"(?:completely |entirely |purely |strictly )?read[ -]?only\b"
    r"(?! (?:mode|unless|by default|if|when))",
    re.IGNORECASE,
)
"""How a description says that its tool only reads."""
READ_ONLY: Final = re.compile(
    r"\bread[ -]?only\b|\bonly SELECT\b|\bSELECT(?:s\b|[- ]only\b| (?:\w+ ){0,2}(?:quer|statement))"
)
"""What says of a query that it changes nothing."""
RUN_READING: Final = re.compile(
    r"\b(?:search(?:es)?|look-?ups?|round-?trips?|self-?checks?|analys[ie]s|calculations?|computations?|comparisons?|check(?:er)?s?"
    r"|(?:multiple|another|further|more|several|repeated) (?:calls?|requests?)|decisions?"
    r"|diagnostics?|estimat(?:es|ions?)|evaluations?|inspections?|recommendations?|simulations?"
    r"|(?:unit|currency|time(?:zone)?) conversions?|validat(?:ions?|ors?)|verifications?)\b",
    re.IGNORECASE,
)
"""What is run by tools that read."""

FILES: Final = word_set("dir directory document file filename filepath folder path")
"""Words of arguments that name a file or a folder."""
_SPARED: Final = r" (?:bandwidth|context|cost|costs|credits|memory|money|space|time|tokens)\b"
"""What is saved by not being used."""
FILE_PLACES: Final = FILES - word_set("document")
"""Those that are no text for themselves, as a document may be."""
FILE_MADE: Final = re.compile(
    r"\b(?:audio|disks?|documents?|drawings?|drives?|files?|images?|in place|mp3|music|pdf"
    r"|pictures?|selected|selection|songs?|sounds?|speech|videos?|voices?)\b",
    re.IGNORECASE,
)
DOCUMENT: Final = re.compile(r"\bdocuments?\b", re.IGNORECASE)
"""A text that is given as it is may be called so."""
WRITTEN_TO: Final = word_set(
    """
    append confirm dry dump export out outfile output overwrite save write
    """
)
"""Words of arguments that name a place to write to, or that ask whether it is meant."""
FORMS: Final = word_set(
    """
    count currency depth detail dimension dimensions encoding fields filter format id ids lang
    language length level limit mode name names number style tokens type types unit units verbosity
    version
    """
)
"""Last words of arguments that say how something looks, or which one it is: an output format."""
TARGETS: Final = word_set("dest destination target")
"""Those that do so beside words for files only: a journey has a destination, too."""
WRITTEN_BY: Final = re.compile(
    rf"\b(?:sav(?:e|es|ing)\b(?!{_SPARED})|write|writes|writing|stores|storing"
    r"|(?:and|or|to|will) store"
    r"|(?:be|is|are|get) (?:\w+ )?(?:saved|written|downloaded|exported)"
    r"|(?:export|download|dump|persist)(?:s|ing)?|navigate)\b",
    re.IGNORECASE,
)
"""What the description of an argument says where that is a place to write to."""
TO_BE_STORED: Final = re.compile(rf"\bto (?:save|store)\b(?!{_SPARED})", re.IGNORECASE)
"""What is said of a name under which something will be kept."""
ANY_QUERY: Final = word_set(
    """
    cmd code command cypher javascript mutation pipeline script sql statement
    """
)
"""Words of arguments in which anything can be asked for."""
RUNNING_CODE: Final = word_set("calculate compute evaluate execute run simulate solve test")
"""Verbs by which a program that is given is run; others look at it."""
ANY_LANGUAGE: Final = re.compile(
    r"\b(?:Cypher|GraphQL|JavaScript|PowerShell|SPARQL|SQL|shell)\b"
    r"|\b(?i:quer(?:y|ies) (?:(?:a|an|the|this|your|\w+) ){0,2}database)\b"
)
"""Languages in which anything can be asked for, and what is asked in one of them."""
TEXTS: Final = word_set("body content line lines snippet source string template text")
"""Behind one of those such a word is still the language: a code snippet."""
MEASURES: Final = word_set("count date dates factor rate time type types")
"""Last words of arguments that are no deed, whichever verb they begin with: a drop factor."""
DONE_TOO: Final = word_set("archive commit mark move publish reset save sync update")
"""Verbs with which switches begin that make a tool do so while it reads: mark as read."""
PLACES: Final = word_set("disk download file save")
"""Forms of an output to choose from that are places: an image, or a file."""
SWITCHED: Final = word_set("add disable enable setup")
"""Verbs with which arguments begin that say how a tool does what it does."""
TOLD: Final = re.compile(
    r"(?:it |this (?:tool |function )?|also |always )?(?:returns|includes|contains)\b",
    re.IGNORECASE,
)
"""How a sentence begins that says what an answer holds."""
QUERY: Final = word_set("body expression function query")
"""Words of arguments that may be in one of them."""
DEEDS_ASKED: Final = word_set("action op operation")
"""Arguments that say what shall be done; which deeds there are, an enum may tell."""
REQUEST_METHODS: Final = word_set("method verb")
STORED: Final = word_set(
    """
    board canvas cell clip column document id ids index layer range row selector sheet slide slug
    track uuid worksheet
    """
)
"""Last words of arguments that name something which is kept by others."""
ADDRESSES: Final = word_set("endpoint path uri url")
"""Beside one of these a method is that of a request over HTTP."""
SHAPING: Final = word_set("fill filter group sample sort")
"""What a session holds is other for the next call where one of these is done to it."""
ARITHMETIC: Final = word_set("divide multiply subtract")
"""Operations beside which an addition is one, too; with a stock they are done to that."""
SUMS: Final = ARITHMETIC | word_set("collapse flatten mod")
"""Names of sums, where the description is that of one."""
NUMBER_TYPES: Final = ("integer", "number")
SWITCHES: Final = word_set("ack ackmode apply fix force")
"""Arguments that make a deed of a look at what would be done."""
PARTICLES: Final = word_set("away back down off out up")
"""Behind a word these say that it is a verb, and another one than without them."""
SAME_WITH_PARTICLE: Final = word_set("echo find list look lookup parse print read return sum")
"""Verbs that still read before them: look up, read back."""

THEIRS: Final = re.compile(
    r"(?<!command )(?<!function )(?<!it )(?<!tool )\b(?:that|which|who)"
    r" (?:can |could |may |might )?\w+",
    re.IGNORECASE,
)
"""What others than the tool do."""
PURPOSES: Final = word_set("about for of on")
"""Behind one of these stands what something is for: practices for deploying."""
MADE_TEXTS: Final = word_set(
    """
    code command commands description embedding embeddings hash id identifier link name names
    password prompt query snippet statement suggestions summary text token url uuid
    """
)
"""What is made so is an answer, not a file."""
TURNED: Final = word_set("log power shut sign switch turn")
"""Verbs with one of the next words right behind them."""
TURNED_TO: Final = word_set("down in off on out up")
PARTNERS: Final = word_set("her him it them")
"""Behind a preposition one of these is what a verb is about: pair with them."""
PREPOSITIONS: Final = word_set("at from into on onto to with")

NOUNS_TOO: Final = word_set(
    """
    archive book build call comment commit complete deposit download draft end export fork import
    invite issue label launch link lock login merge order patch place post process purchase record
    refund release request run schedule share snapshot stage start store tag trade transfer type
    upgrade vote
    """
)
"""Words for deeds that are things, too, before a head."""
HEADS: Final = word_set(
    """
    author authors count counts coverage date dates depth detail details history histories id ids
    index indexes info information line lines list lists metadata name names number numbers position
    positions price prices size sizes state states statistics stats status statuses time times title
    titles total totals types url urls volume
    """
)
"""What things have: behind a word that is a thing, too, it makes a compound of both."""
COMPOUND_HEADS: Final[dict[str, frozenset[str]]] = {
    "call": word_set("graph graphs hierarchy site sites tree"),
    "change": word_set("log logs projections rate rates"),
    "cache": word_set("hit hits miss misses"),
    "clean": word_set("data html json markdown text"),
    "comment": word_set("object objects section sections text texts thread threads"),
    "commit": word_set("hash hashes message messages"),
    "deploy": word_set("count counts date dates"),
    "forward": word_set("geocode slash slashes"),
    "import": word_set("path paths statement statements"),
    "install": word_set("count counts hint hints size sizes"),
    "begin": word_set("at from here reading with"),
    "boot": word_set("log logs"),
    "follow": word_set("conventions format instructions pattern rules steps up"),
    "load": word_set("average averages metrics"),
    "publish": word_set("date dates time times"),
    "pull": word_set("request requests"),
    "release": word_set("notes"),
    "fill": word_set("factor factors rate rates"),
    "request": word_set("bodies body header headers method methods parameters shape shapes url"),
    "resume": word_set("view"),
    "start": word_set("at from here reading searching with"),
    "stop": word_set("early reading searching sequence sequences words"),
    "update": word_set("date dates frequency time times"),
    "upload": word_set("date dates time times"),
}
"""Compounds of other words."""
LEFT_OPEN: Final = re.compile(
    r"\bset \w+ ?= ?\w+|\b(?:leave|set|keep) (?:(?:it|this|\w+) )?(?:as )?"
    r"(?:blank|empty|unset|undefined|null|none|to (?:true|false|null|none|zero|\d+)"
    r"|to the (?:end|start|beginning|next|last))\b",
    re.IGNORECASE,
)
"""What a caller does with an argument."""
CHAIN: Final = re.compile(
    rf"\b([A-Za-z]+)((?:/[A-Za-z]+)+)\b(?P<head>-\w+| (?:{'|'.join(sorted(HEADS))})\b)?"
)
"""Words joined by slashes, and what things have or are: mute/lock status, comment/string-aware."""
NO_EFFECTS: Final = re.compile(
    r"\bside[ -]effects?:[ *_]*(?=no\b|none\b|nothing\b|this (?:tool )?is read[ -]?only\b)",
    re.IGNORECASE,
)
"""A label behind which it is said that there are none."""
FENCED: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
"""An example in a block of its own."""
CODE: Final = re.compile(r"`[^`\n]*`|\b[A-Za-z]\w*_\w+")
"""A name in a program."""
QUOTED: Final = re.compile(
    r"(?<!and )(?<!or )(?<!then )(?<!to )(?<!will )(?<!it )(?<!by )"
    r"(?:\"[^\"\n]{1,100}\"|(?<![\w])'[^'\n]{1,60}'(?!\w))"
)
"""Words of others, where no sentence goes on with them as its verb."""
EXAMPLES: Final = re.compile(
    r"\(?\b(?:eg|for example|for instance|such as)\b[\s,:]*((?:[^;:.()]|\.(?=\w)|\([^()]*\))*)",
    re.IGNORECASE,
)
ABBREVIATED: Final = re.compile(r"\b(e)\.(g)\.|\b(i)\.(e)\.", re.IGNORECASE)
HOW_TO: Final = re.compile(
    r"\b(?:how|where|when|what|which|who) to \w+(?: (?:and|or) \w+)?", re.IGNORECASE
)
"""What others shall do."""
OBLIGED: Final = re.compile(
    r"\b(?:you|callers?|clients?|users?) (?:must|should|need to|have to|may want to)"
    r"(?: (?:also|always|first|then))? \w+",
    re.IGNORECASE,
)
"""What a caller shall do."""
_CALLED: Final = r"(?: (?:tool|command|function|method|again|first|only|once|proactively))*"
ADVICE: Final = re.compile(
    r"^\W*(?:(?:if|once|when)\b[^,;]*, )?"
    r"(?:(?:you|can|must|should|may|always|first|then|please|only|also) )*"
    r"(?:(?:best|great|handy|helpful|ideal|perfect|useful)\b"
    rf"|use (?:this|it|when|after|before)\b{_CALLED}"
    rf"|(?:call|invoke|run|try) (?:this|it|again)\b{_CALLED}"
    r"(?= (?:after|as|at|before|for|if|once|when|whenever|with)\b|\W*$))"
    r"(?: after (?:you |the user )?\w+(?: \w+){0,3}?(?=[,;]|\.(?!\w)|$| to\b))?",
    re.IGNORECASE,
)
"""How a sentence begins that says when a tool shall be called."""
WANTED: Final = re.compile(
    r"\b(?:when(?:ever)?|if|once) (?:you|the user|a user|users|someone|they)"
    r" (?:need|want|wish|would like|have|ask)s? to\b",
    re.IGNORECASE,
)
"""Behind these stands what the tool is for."""
TEXT_MADE: Final = re.compile(
    r"^[^.;]*\b(?:as|in|into|to) (?:[\w-]+ ){0,2}(?:html|json|markdown|plain text|readable|text)\b",
    re.IGNORECASE,
)
"""What makes a text of what was read, whatever that was read from."""
TRIMMED: Final = re.compile(
    r"[,;]? (?:and |while |automatically |optionally )*"
    r"(?:dropping|excluding|ignoring|omitting|removing|skipping|stripping) "
    r"(?!(?:all|an?|any|each|every|it|its|the|their|them|these|this|those|your)\b)"
    r"(?![^.;]*\b(?:accounts?|databases?|files?|folders?|originals?|records?|sources?|users?)\b)"
    r"[^.;]*",
    re.IGNORECASE,
)
"""What is left out of a text that was made."""
FOR_OTHERS: Final = re.compile(
    r"(?<=[\w,\u2013\u2014] )(?:convenient|easy|easier|ideal|suitable)"
    r" for (?:\w+ ){1,3}?to \w+(?: (?:and|or) \w+)?",
    re.IGNORECASE,
)
"""What others can do with what was made."""
OUTPUT_CUT: Final = re.compile(
    r"\b(?:be|is|are) (?:automatically )?truncated (?:to (?:fit|show|the first|[\d,]+)"
    r"|(?:at|after) (?:an? |the )?[\w,]+|in the (?:output|response|result)s?|for display)"
    r"|\b(?:is|are) (?:\w+ed) by default\b|\bappl(?:y|ies) (?:only )?to\b"
    r"|\bmaking (?:it|them|this) (?:\w+ )?(?:easy|easier|ideal|possible|suitable|useful)\b"
    r"|\b(?:cheap|fine|free|ok|okay|safe) to (?:call|repeat|retry|run|use)\b"
    r"|\bcalling (?:it|this|with)\b"
    r"|\b(?:how|what|where|which) (?:[\w-]+ ){1,3}(?:is|are|was|were) \w+\b"
    r"|\b(?:is|are) (?:indexed|rebuilt|refreshed|synced|updated)"
    r" (?:every|daily|hourly|monthly|nightly|weekly)\b"
    r"|\b(?:(?:invalid|malformed|unknown|unsupported) [\w -]{1,40}|mutations?[\w ,]{0,40}"
    r"|writes) (?:is|are) (?:rejected|refused)\b"
    r"|\bready to (?:be )?\w+(?: (?:in|into))?\b"
    rf"|\bsav(?:e|es|ing){_SPARED}"
    r"|\benabling (?:better|easy|efficient|fast|precise|quick|targeted)\b",
    re.IGNORECASE,
)
"""What happens to the answer alone, what is spared, and how things are without a tool."""
CONTENTS: Final = re.compile(
    r"^returns?:$|\b(?:contain|includ|return)(?:s|ing|e|es)?\b[^.:]*:$|\bwith:$", re.IGNORECASE
)
"""What is before a list of things that are in an answer."""
DEEDS_LISTED: Final = re.compile(
    r"\b(?:actions?|capabilit\w+|commands?|features?|functions?|operations?|steps?|tasks?|tools?)\b",
    re.IGNORECASE,
)
"""What is before a list of deeds."""
