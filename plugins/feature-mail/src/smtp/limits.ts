/** The most connections to the mail server at a time. */
export const maxConnections = 2
