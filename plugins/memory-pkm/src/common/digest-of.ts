import { canonicalJson } from '@agent-service/sdk'
import { sha256 } from './text.js'

/** A digest of a JSON value that does not depend on the order of members. Absent members count as missing. */
export const digestOf = (value: unknown): string => sha256(canonicalJson(value))
