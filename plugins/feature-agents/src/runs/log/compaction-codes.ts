/** Why no summary was made: there is nothing older than what has to stay. */
export const nothingToSummarise = 'nothing_to_summarise'
/** The chat is not to be summarised: older messages are left out of the prompt instead. */
export const olderOmitted = 'older_left_out'
