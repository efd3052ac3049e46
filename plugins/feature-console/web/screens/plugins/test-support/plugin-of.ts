import type { Schemas } from '../../../api/index.js'

/** A built-in plugin that runs, as the service lists it. */
export const pluginOf = (id: string, more: Partial<Schemas['Plugin']> = {}): Schemas['Plugin'] => ({
  id,
  state: 'active',
  version: '1.0.0',
  description: null,
  reason: null,
  source: 'built-in',
  started_ms: 1,
  contributes: [],
  contributions: [],
  locked: [],
  optional: [],
  permissions: [],
  problems: [],
  provides: [],
  requires: [],
  settings: [],
  ...more,
})
