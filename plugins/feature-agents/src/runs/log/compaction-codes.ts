/** No summary was made: no message is older than the part that has to stay. */
export const nothingToSummarise = 'nothing_to_summarise'
/** The chat has summaries switched off: older messages are left out of the prompt instead. */
export const olderOmitted = 'older_left_out'
