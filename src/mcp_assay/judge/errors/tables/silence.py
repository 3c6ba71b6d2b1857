"""What says that something failed, and nothing about what."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    FAIR,
    table,
    unclear,
    wrapper,
)

SILENCE: Final = table(
    "says nothing",
    unclear(
        FAIR,
        """
        something went wrong | something unexpected happened | an error occurred | error occurred
        an error has occurred | an error was encountered | encountered an error | unexpected error
        unexpected error occurred | an unexpected error | unknown error | UnknownError
        unknown failure | unknown exception | unknown reason | unspecified error | general error
        generic error | internal error | internal failure | server error | internal server error
        an internal error | operation failed | operation was unsuccessful | request failed
        the request failed | call failed | command failed | task failed | job failed
        action failed | process failed | failed to process | failed to complete | did not succeed
        was not successful | unsuccessful | could not be completed | could not complete
        unable to complete | could not process | unable to process | couldn't complete
        an exception occurred | exception occurred | unhandled error | error: null | error: none
        error: undefined | [object object] | AggregateError | didn't work | did not work
        went wrong | oops | whoops | failed unexpectedly | not successful | unknown status
        the operation was aborted | operation was aborted | was aborted | AbortError | aborted
        cancelled | canceled | was interrupted | interrupted | context canceled
        task was canceled | operation was canceled | request was cancelled | CancelledError
        non zero exit status | non zero exit code | exit status | exit code | exited with
        returned 1 | see logs | see the logs | check the logs | check logs | server logs
        no further details | no details | no additional information | no message | no reason
        without a reason | contact support | contact your administrator | try again
        contact the administrator | not available at this point | reference number
        quote reference | can't help with that | could not be handled | cannot help with that
        unknown problem | unknown issue | ended with an error | finished with state failed
        unexpected condition | one or more errors | was thrown | cannot translate.
        """,
    ),
    wrapper("please try again | try again later | please retry | no error | error message"),
)
