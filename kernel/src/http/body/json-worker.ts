import type { Problem, TSchema } from '@agent-service/sdk'

/** A parsed body, defaults filled in, with what its schema says against it. */
export interface ReadJson {
  readonly body: unknown
  readonly problems: readonly Problem[]
}

/** Parses and validates large bodies in a thread of its own. */
export interface JsonWorker {
  /** The chunks are moved to the thread and must not be used afterwards. */
  read(
    chunks: readonly Uint8Array<ArrayBuffer>[],
    options: { readonly schema: TSchema; readonly maximumDepth: number },
    signal: AbortSignal,
  ): Promise<ReadJson>
  /** Ends the thread. What is being read fails. May be called again. */
  close(): Promise<void>
}
