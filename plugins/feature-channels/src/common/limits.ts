/** What one user may have. */
export const maxConnectionsPerUser = 20
/** What the deployment may have of those that administrators share. */
export const maxSharedConnections = 100

/** The members of a connection, as JSON. */
export const maxMembersBytes = 64 * 1_024
/** What a channel may keep between two sessions, as JSON. */
export const maxStateBytes = 64 * 1_024

/** The longest text of a message that is taken, in UTF-16 code units. What is longer is cut. */
export const maxMessageLength = 100_000
/** Messages of a connection that wait for their turn. What comes beyond is left with the vendor. */
export const maxOpenMessages = 1_000
/** Messages that one call of `receive` may bring. */
export const maxReceived = 1_000

/** Files with one message, and the most bytes of one. The second limit is that of files which the account's own person sends and the channel downloads. */
export const maxFiles = 8
export const maxFileBytes = 4 * 1_024 * 1_024
export const maxOwnFileBytes = 50_000_000

/** People who wait to be let in, of one connection; and their messages that are kept until then. */
export const maxPending = 20
export const maxHeldMessages = 5
export const maxHeldLength = 8_000
/** How long who asks to be let in keeps their place at least. */
export const minPendingMs = 5 * 60_000
export const codeLifeMs = 3_600_000
export const maxSenders = 1_000

/** Calls of a channel. */
export const connectMs = 30_000
export const sendMs = 60_000
/** Sending a message with a file, which a slow line takes long for. */
export const sendFileMs = 200_000
export const webhookMs = 10_000
export const typingMs = 10_000
export const downloadMs = 60_000

/** A session that lasts so long is healthy: the next loss counts from the beginning. */
export const healthyMs = 60_000
/** How often a channel shows that an answer is being written, and for how long at most. */
export const typingEveryMs = 4_000
export const typingForMs = 10 * 60_000

/** How long a message to a vendor that cannot be reached waits. */
export const deliveryLifeMs = 24 * 3_600_000
/** How long before the end of a gap of events a run may have ended to be looked up. Less than deliveries are kept. */
export const missedRunsMs = 7 * 24 * 3_600_000
/** How long deliveries and received messages are kept once they are settled. */
export const historyMs = 30 * 24 * 3_600_000
export const dedupMs = 8 * 24 * 3_600_000
/** The largest file that is sent as a file, whatever a channel takes; and the contents of one user that wait, or may be sent again. */
export const maxSentFileBytes = 50_000_000
export const maxKeptFiles = 50
export const maxKeptBytes = 500_000_000
/** How old a content without a delivery is that a crash has left, and not one that is being made. */
export const orphanMs = 3_600_000
/** Messages that wait in a conversation while an agent sends another file. */
export const maxWaitingDeliveries = 50
/** How long a link to a file lives that guests get. */
export const guestLinkSeconds = 86_400
/** Conversations to which one connection sends at the same time. */
export const maxConcurrentSends = 4

/** How long a message whose files the vendor keeps waits for a session, and how often that is looked at. */
export const maxFileWaitMs = 10 * 60_000
export const fileWaitMs = 2_000

/** How long a message waits for a run of its chat that was started elsewhere, and how often that is looked at. */
export const maxBusyMs = 10 * 60_000
export const busyWaitMs = 2_000

/** How often a message is tried that could not be given to its agent. */
export const maxStartAttempts = 8

/** A bot that answers so often within a minute talks to a bot. */
export const maxAlternations = 6
/** Messages of one conversation within a minute, of anyone. */
export const maxMessagesPerMinute = 30
export const minuteMs = 60_000
