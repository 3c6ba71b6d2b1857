"""What tools that work say when they refuse, in plain English."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    DECISIVE,
    FAIR,
    STRONG,
    business,
    environment,
    failure,
    table,
)

MISSING: Final = table(
    "missing things",
    business(
        STRONG,
        """
        not found | not be found | wasn't found | isn't found | weren't found | never found
        does not exist | doesn't exist | do not exist | don't exist | did not exist | not exist
        no longer exists | no such | nonexistent | non existent | cannot find | can't find
        can not find | could not find | unable to find | failed to find | could not locate
        cannot locate | unable to locate | couldn't locate | not located | could not be located
        cannot be found | could not be found | no … found | no … with | no … matches | no … match
        no … exists | no … named | no … called | no … available | no … left | no … for
        no … matching | none of the | not present | no matching | no matches | no results
        no result | no records | no data | no items | nothing found | nothing matches | nothing to
        zero results | empty result | 0 results | there is no | there are no | there was no
        has no | have no | had no | is not in | are not in | not part of | not a member
        not listed | not among | did not resolve to | 0 issues found | 0 items found | 0 matches
        unrecognized | unrecognised | not recognized | not recognised | not known
        has been deleted | was deleted | been removed | no longer available | did you mean
        not registered | is missing | are missing | missing from
        """,
    ),
)

WRONG_ARGUMENTS: Final = table(
    "wrong arguments",
    business(
        CERTAIN,
        """
        missing required argument | missing required parameter | missing required field
        available versions | available options | available values | available choices
        missing required arguments | missing required parameters | missing required fields
        required parameter missing | invalid argument | invalid parameter | invalid parameters
        invalid input | bad request
        """,
    ),
    business(
        STRONG,
        """
        must be | must not | must have | must contain | must match | must start | must end
        must provide | must specify | must include | must supply | must come | must lie | must use
        should be one of | needs to be | need to be | has to be | have to be | is required
        are required | required field | required parameter | required property | required argument
        no criteria provided | no search criteria | no query provided | no input provided
        empty query | empty search query | empty input provided
        missing required | is a required | be provided | be specified | at least one | exactly one
        only one of | one of the following | invalid id | invalid email | invalid path
        invalid range | invalid json | invalid option | invalid choice | invalid request
        invalid time | invalid name | invalid number | invalid length | invalid size
        invalid filter | invalid query | invalid status | invalid state | not a valid | not valid
        isn't valid | is invalid | are invalid | was invalid | unsupported | not supported
        isn't supported | not acceptable | unacceptable | cannot be empty | can't be empty
        can't be blank | cannot be blank | must not be empty | may not be | cannot be negative
        were empty | too long | too short | too large | too many | too few | too high | too low
        too old | too early | too late | too far | too close | too wide | too deep | too near
        too soon | too heavy | out of range | out of bounds of | outside | exceeds | exceeding
        beyond | above the | below the | longer than | shorter than | larger than | smaller than
        greater than | less than | more than | fewer than | up to | at most | at least
        no more than | not a number | not an integer | not a string | not a date | expected … got
        expected … received | expected … but | expected one of | does not match | doesn't match
        do not match | mismatch | not match | valid values | valid options | allowed values
        accepted values | possible values | valid choices | valid formats | supported formats
        supported values | choose one | malformed | badly formatted | wrong format
        incorrect format | wrong type | ambiguous | contradicts | contradictory
        mutually exclusive | cannot be combined | cannot be used with | validation failed
        failed validation | validation error | validation errors | schema validation
        failed the validation | unexpected argument | unexpected parameter | unexpected property
        unexpected field | unknown parameter | unknown argument | unknown property
        """,
    ),
    business(
        FAIR,
        """
        unknown | invalid | incorrect | wrong | illegal | bad | required | missing | should be
        in the past | in the future | is not | not an | isn't a | only | accepts
        """,
    ),
)

NOT_ALLOWED: Final = table(
    "not allowed",
    business(
        STRONG,
        """
        permission denied | access denied | access is denied | forbidden | unauthorized
        unauthorised | not authorized | not authorised | unauthenticated | not authenticated
        authentication required | authentication failed | login required | not logged in
        not signed in | log in | sign in | invalid credentials | bad credentials | wrong password
        invalid password | invalid token | invalid api key | incorrect api key | token expired
        token has expired | token is expired | session expired | session has expired | expired
        insufficient permission | insufficient permissions | insufficient privileges
        insufficient scope | insufficient rights | missing permission | not allowed
        isn't allowed | not permitted | operation not permitted | disallowed | prohibited
        not eligible | ineligible | no permission | no access | lack permission
        do not have permission | does not have permission | don't have permission
        doesn't have permission | do not have access | does not have access | don't have access
        required permission | requires permission | is private | is restricted | restricted to
        outside allowed | outside of allowed | not within allowed | denied | refused by policy
        refusing to | refuse to | refuses to | will not | won't | not willing | blocked by
        blocked | banned | suspended | deactivated | revoked | only … can | only … may
        only the owner | not the owner | content policy | safety | violates | violation | policy
        confirmation required | needs approval | has to approve | must approve | read only mode
        is read only | robots.txt | captcha
        """,
    ),
    business(FAIR, "disabled | locked | rejected | privileges | permissions | you cannot"),
)

STATE: Final = table(
    "state of things",
    business(
        STRONG,
        """
        already exists | already exist | already | duplicate | duplicated | conflict | conflicts
        conflicting | in conflict | is taken | been taken | name taken | not unique | overlaps
        overlapping | is busy with | is booked | fully booked | booked | reserved | occupied
        out of stock | sold out | in stock | not in stock | unavailable for | not available on
        not available in | not available for | isn't available for | not available at
        precondition | precondition failed | dependency not met | still open | still running
        still in use | is in use | in use by | not empty | can no longer | no longer be
        cannot be cancelled | cannot be changed | cannot be deleted | cannot be modified
        cannot be edited | cannot be undone | cannot be moved | cannot be refunded | immutable
        not running | not started | not active | inactive | not enabled | not open | not playing
        is not playing | is playing | is closed | are closed | is full | are full | is finished
        has ended | has finished | has passed | been cancelled | been shipped | been refunded
        been used | been closed | been archived | not yet | is pending | is empty | cycle
        circular reference | would create | would exceed | would overlap | changed since
        been modified | stale | outdated version | merge conflict
        """,
    ),
    business(FAIR, "cannot be | can't be | can not be | cannot | can't | unable to be"),
)

LIMITS: Final = table(
    "limits and money",
    business(
        CERTAIN,
        """
        rate limit | rate limited | rate limiting | ratelimit | too many requests | throttled
        throttling | quota exceeded | exceeded your current quota | insufficient credits
        insufficient funds | insufficient balance | no credits | payment required | usage limit
        monthly limit | daily limit | card was declined | credit balance | exceeded your
        upgrade your plan | upgrade to
        """,
    ),
    business(
        STRONG,
        """
        quota | credits | billing | subscription | plan upgrade | your plan | free plan
        free tier | trial expired | trial has ended | account suspended | limit reached
        limit exceeded | limit of | limits of | reached the limit | reached your
        exceeded the limit | exceeds the limit | exceeded the maximum | maximum … exceeded
        maximum number | maximum size | maximum length | max size | declined | insufficient
        not enough | overdrawn | requests per | per minute | per day | per month | slow down
        retry after | context length | token limit | content too large | payload too large
        are limited | is limited to | limited to | allowance | budget
        """,
    ),
    business(FAIR, "exceeded | upgrade | paid"),
)

PLAIN_REFUSALS: Final = table(
    "plain refusals",
    failure(DECISIVE, "error validating data | DecodingFailure at"),
    failure(CERTAIN, "0xc0000005"),
    environment(
        CERTAIN,
        """
        econnrefused | nxdomain | econnreset | etimedout | ehostunreach | enetunreach
        """,
    ),
    business(
        CERTAIN,
        """
        your file could not | uploaded … could not be parsed | uploaded … is corrupt
        file you uploaded | image you uploaded | does not exist in sheet
        column … does not exist in sheet | in your file | url you gave | address you gave
        host you gave | number you gave | formula in | formula refers
        maintenance window overlaps | maintenance windows must | delete the default
        certificate you uploaded | certificate you | already closed the | no transition to
        no transition … available | no transition named | timeout action
        """,
    ),
    business(
        STRONG,
        """
        does not support | doesn't support | do not support | don't support | not offered
        not possible | isn't possible | isn't one of | not one of | not yours | you are not
        you're not | you aren't | do you mean | did you want | please provide | please give
        please specify | please choose | please select | please enter | please pick | on hold
        frozen | is over | share this name | bigger than | higher than | lower than | later than
        earlier than | older than | newer than | heavier than | before start | before it ends
        before it starts | must first | redeemed | in the meantime | equals the old
        nothing was changed | nothing changed | returned no rows | is not known to
        no route between | no path between | the file you | your file | your csv | you uploaded
        you gave | you supplied | you sent | you provided | you entered | you specified
        you asked | you requested | does not verify | doesn't verify | over constrained
        self intersecting | divides by zero | are allowed | as a time | as a number
        as a duration | as an integer | as an amount | as a url
        """,
    ),
    business(FAIR, "switched off at | is open;"),
)

REFUSALS: Final = MISSING + WRONG_ARGUMENTS + NOT_ALLOWED + STATE + LIMITS + PLAIN_REFUSALS
