/** Changes of YAML texts that keep every other line. */
export * from './edit-yaml.js'
