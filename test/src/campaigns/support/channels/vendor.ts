/** What a person has got from the agent, with the key of the delivery where the vendor sees one. */
export interface Received {
  readonly person: number
  readonly text: string
  readonly key?: string
}

/** What goes wrong at a vendor: the answer to a message that it took is lost, it fails, or asks to wait. */
export type VendorFault = 'losing' | 'failing' | 'throttled'

/** A vendor that a campaign plays. People are numbers; each writes in a conversation of their own. */
export interface Vendor {
  /** The id of the channel. */
  readonly kind: string
  /** Whether a message that it may have got can be sent again under its key: then nothing is unknown. */
  readonly hasKeys: boolean
  /** Of the connection. */
  readonly members: Readonly<Record<string, unknown>>
  /** The vendor's id of a person's conversation. */
  conversationOf(person: number): string
  /**
   * A person writes. It is delivered again and again until the service has stored it, also by another
   * process. The same message written again is delivered once more under its id.
   */
  write(person: number, number: number, text: string): void
  /** What people have got since the last call, in order; also what came twice. */
  take(): readonly Received[]
  /** From now on, until it is called again. */
  suffer(fault: VendorFault | undefined): void
  /** Where the service takes requests of vendors, after each of its starts. */
  reach(webhookUrl: string): void
  close(): Promise<void>
}

/** Hands each entry of a list out once that only grows. */
export function createTaker<Entry>(list: () => readonly Entry[]): () => readonly Entry[] {
  let taken = 0
  return () => {
    const next = list().slice(taken)
    taken += next.length
    return next
  }
}

/** A module of a plugin's own means for tests; they are in no package. */
export const testSupport = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(`../../../../../plugins/${file}`, import.meta.url).href)) as Module
