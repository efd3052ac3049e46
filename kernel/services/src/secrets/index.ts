/** Secrets and sealed texts for plugins, and the rotation of the keys under them. */

export { createRedaction } from './create-redaction.js'
export { createSeals } from './create-seals.js'
export { createSecrets } from './create-secrets.js'
export { createDataKeyRotation } from './data-key-rotation.js'
export { PluginSealedFields, pluginSealedFieldsToken } from './plugin-sealed-fields.js'
export { rekey } from './rekey.js'
