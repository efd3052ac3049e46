import type { JsonValue } from '@agent-service/sdk'

/** Something that is worth remembering, held against the chat. */
export interface Claim {
  readonly text: string
  readonly kind: 'fact' | 'preference' | 'event' | 'commitment' | 'opinion'
  readonly subject: string
  readonly source: 'person' | 'agent'
  readonly message_id: string
  /** The digest of the words that say it. */
  readonly source_digest: string
  /** When it was said. */
  readonly at: string
  readonly valid_from: string | null
  readonly valid_to: string | null
}

/** A way of doing something that a person has confirmed. */
export interface PlaybookCandidate {
  readonly title: string
  readonly when_to_use: string
  readonly text: string
  readonly outcome: 'success' | 'failure'
  readonly message_id: string
  readonly source_digest: string
  readonly at: string
}

export interface ExtractResult {
  readonly claims: readonly Claim[]
  readonly playbooks: readonly PlaybookCandidate[]
  /** How many candidates did not hold, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** A term that the ontology lacks. */
export interface TermProposal {
  readonly kind: 'class' | 'property'
  readonly name: string
  readonly label: string
  readonly parent: string | null
}

/** Where a durable claim belongs. */
export interface Classification {
  /** The index of the claim. */
  readonly claim: number
  readonly class: string
  readonly property: string
  readonly value: string
}

export interface ClassifyResult {
  /** The durable ones; the others stay short memories. */
  readonly durable: readonly Classification[]
  readonly proposals: readonly TermProposal[]
}

/** A page that a pass writes to. */
export interface ResolvedSubject {
  /** The subject as the claims name it. */
  readonly name: string
  readonly page_id: string
  /** The title and class of a new page; null: it is there. */
  readonly created: { readonly title: string; readonly class: string } | null
}

export interface ResolveResult {
  readonly subjects: readonly ResolvedSubject[]
  /** For each candidate the playbook that it belongs to, and whether it is new. */
  readonly playbooks: readonly { readonly id: string; readonly is_new: boolean }[]
}

/** How a durable claim goes together with what stands. */
export interface Reconciliation {
  readonly claim: number
  readonly action: 'add' | 'reinforce' | 'supersede' | 'contradict' | 'drop'
  readonly target: string | null
}

export interface ReconcileResult {
  readonly decisions: readonly Reconciliation[]
  /** A digest of each touched page and playbook as it stood. */
  readonly base: Readonly<Record<string, string>>
  /** The indices of candidates that are not learnt again. */
  readonly buried_playbooks: readonly number[]
}

export interface AuthorResult {
  /** By the id of the page. */
  readonly pages: Readonly<Record<string, string>>
  readonly playbooks: Readonly<Record<string, { readonly title: string; readonly when_to_use: string; readonly text: string }>>
}

export interface AdjudicateResult {
  readonly verdicts: readonly {
    readonly kind: 'class' | 'property'
    readonly name: string
    readonly verdict: 'accept' | 'alias' | 'reject'
    readonly of: string | null
  }[]
}

/** The results of a pass so far. */
export interface StageResults {
  readonly extract?: ExtractResult
  readonly classify?: ClassifyResult
  readonly resolve?: ResolveResult
  readonly reconcile?: ReconcileResult
  readonly author?: AuthorResult
  readonly adjudicate?: AdjudicateResult
}

/** A result as it is stored. */
export const storable = (result: object): JsonValue => JSON.parse(JSON.stringify(result)) as JsonValue
