/** Every bound of this plugin, in one place. Times are in milliseconds. */
export const limits = {
  /** Sessions of one user, and of all users. */
  maxSessionsPerUser: 3,
  maxSessions: 20,
  /** Tabs of one session; a page that opens more loses them. */
  maxTabs: 8,
  /** A session that was not used for so long is closed. */
  idleMs: 10 * 60_000,
  /** One command of the protocol. */
  commandMs: 30_000,
  /** From a navigation to a page that has loaded; what still loads then is left alone. */
  loadMs: 25_000,
  /** How long the page may take to react to an action before the next look at it. */
  settleMs: 8_000,
  /** The wait of `browser_wait_for`. */
  maxWaitMs: 60_000,
  /** The largest message of the browser: a screenshot, or a tree of a page. */
  maxMessageBytes: 64 * 1024 * 1024,
  /** Between two signs of life of a connection. */
  heartbeatMs: 20_000,
  /** Characters of a snapshot that a model reads at once, and that are kept for reading on. */
  maxSnapshot: 20_000,
  maxSnapshotKept: 400_000,
  /** Elements of a page that a snapshot has, over all of its frames. */
  maxSnapshotNodes: 20_000,
  maxFrames: 40,
  /** Reports of a session that wait for the next result. */
  maxReports: 30,
  /** One download, and one file that is handed to a page. */
  maxDownloadBytes: 100 * 1024 * 1024,
  maxUploadBytes: 10 * 1024 * 1024,
  downloadMs: 120_000,
  /** Cookies of one profile as they are kept, in bytes of JSON. */
  maxProfileBytes: 900_000,
  maxProfilesPerUser: 100,
  /** Pages that are rendered for others, of one user and of all. */
  maxRenderingsPerUser: 2,
  maxRenderings: 4,
  renderMs: 30_000,
  defaultRenderedBytes: 5_000_000,
  /** An answer of the management interface. */
  maxManagementBytes: 1_000_000,
  managementMs: 10_000,
} as const

/** The window of every page. */
export const viewport = { width: 1280, height: 900 } as const
