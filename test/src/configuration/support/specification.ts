import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { JsonValue } from '@agent-service/sdk'

/**
 * One field of the configuration, as the specification has it. `<handle>` and `<group>` stand for
 * any key of a map.
 */
export interface SpecifiedField {
  readonly section: string
  readonly field: string
  /**
   * In the words of the specification: `integer`, `float`, `boolean`, `string`, `object`, `list of
   * strings`, `list of objects`.
   */
  readonly type: string
  readonly choices?: readonly string[]
  readonly required?: true
  readonly default?: JsonValue
  /**
   * What holds where it is absent, in the words of the specification; also in place of a default
   * that is not to be shown.
   */
  readonly default_text?: string
  /**
   * `default` is a path, written relative to the working directory, to the installed package
   * (`resources`), or to `{data_dir}`.
   */
  readonly path?: true
  readonly unit?: string
  readonly secret?: true
  /** Accepted, and without effect by the specification itself. */
  readonly unused?: true
  readonly note?: string
}

/** A setting of a model group that only some protocols know. */
export interface TypedProperty {
  readonly protocols: readonly string[]
  readonly field: string
  readonly type: string
  readonly choices?: readonly string[]
}

export interface Specification {
  readonly fields: readonly SpecifiedField[]
  readonly typed_properties: readonly TypedProperty[]
  /** Fields that are refused with a message that names `use`. */
  readonly refused: readonly { readonly section: string; readonly field: string; readonly use: string }[]
  /** Fields that this project adds to the specification. */
  readonly added: readonly SpecifiedField[]
}

const file = fileURLToPath(new URL('../../../fixtures/specification-fields.json', import.meta.url))

/** The tables of the specification, and what this project adds to them. */
export const specification = JSON.parse(readFileSync(file, 'utf8')) as Specification

/** Every field: those of the specification, then those that were added. */
export const allFields: readonly SpecifiedField[] = [...specification.fields, ...specification.added]

export const pathOf = ({ section, field }: { readonly section: string; readonly field: string }): string => `${section}.${field}`

/** The protocols that a model group may name. */
export const protocols = [
  ...['responses', 'completions', 'anthropic-messages', 'google-generate-content', 'amazon-bedrock-converse', 'cohere-chat', 'ollama'],
  'huggingface',
] as const
