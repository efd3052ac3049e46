/**
 * Keywords that a configuration schema may carry beside JSON Schema's own. They are data, survive
 * JSON, and are read by the kernel, by the settings forms and by the documentation; validators that
 * do not know them pass over them.
 *
 * A property that has a `default` is always present once the configuration is complete, so it is
 * not optional; one without is `Type.Optional`. An object that is not optional is made from the
 * defaults of its members.
 *
 * **Open places.** The owner of a section opens it for typed settings that others know, by {@link
 * schemaAnnotations.extensionPlace} on the object that takes them. The variant of an object is the
 * text in its member named by {@link schemaAnnotations.variantMember}:
 *
 * ```ts
 * // feature-inference, section `models`: what else a group may say depends on its protocol
 * const group = Type.Object(
 *   { provider: Type.String(), model: Type.String(), api: Type.Optional(Type.String()) },
 *   { 'x-extension-place': 'settings', 'x-variant-member': 'api' },
 * )
 * // provider-openai: what the protocol `completions` adds there
 * const manifest = { extends: [{ section: 'models', place: 'settings', variant: 'completions', schema: Type.Object({ seed: Type.Optional(Type.Integer()) }) }] }
 * ```
 *
 * Where the variant member is a choice among constants, the variants that plugins extend join the
 * choice: a third party's memory backend `tree` says `extends: [{ section: 'memory', place:
 * 'backend', variant: 'tree', schema: Type.Object({}) }]`, and `memory.backend: tree` is accepted.
 *
 * The kernel checks the members that only extensions know against the extensions of the object's
 * variant. A member that belongs to another variant alone is an error that names the variant and
 * what it supports. While the variant member is absent, or names a variant that no plugin extends,
 * members of every variant are accepted, each by the first schema that knows it; the section's
 * owner refuses in its `rules` what the default does not support. A fragment's own `default`s are
 * not filled in.
 */
export const schemaAnnotations = Object.freeze({
  /**
   * `true`: a secret. Redacted in every log and error, never answered by the API, not shown in a
   * problem. On a string.
   */
  secret: 'x-secret',
  /**
   * `true`: whoever may change the configuration may change this field without confirming who they
   * are, also with a token. Say it only of what discloses nothing, moves or deletes nothing, and
   * loosens no limit on what anybody may do or spend: at worst the service gets slower. Every other
   * field needs a person in a confirmed session. On a number, a text, a choice or a list, not on an
   * object with members; without effect on a secret.
   */
  harmless: 'x-harmless',
  /** What a number counts, in words for people: `seconds`, `bytes`, `percent`. */
  unit: 'x-unit',
  /** `true`: a path. It ends absolute, resolved against the working directory. On a string. */
  path: 'x-path',
  /**
   * A path's default that depends on the deployment: a template with `{server_data_dir}`,
   * `{installed_resources}`, or `{section.field}` of another path. It replaces `default`, implies
   * `x-path`, and makes the property always present.
   */
  defaultPath: 'x-default-path',
  /**
   * How `${NAME}` in the file is read; see {@link ExpansionMode}. Holds for everything below.
   * Without it: expanded once, at the start.
   */
  expand: 'x-expand',
  /**
   * A sentence: the field is accepted and has no effect, because … (`Fallbacks are not part of this
   * version.`). Setting it gives a warning with this sentence.
   */
  noEffect: 'x-no-effect',
  /**
   * `true`: a fresh installation is not set up until a person has chosen a value; until then the
   * default holds. On a member with a default.
   */
  setUp: 'x-set-up',
  /**
   * The id of a slot (`memory.backend`) that the text of this member picks a contribution for. The
   * slot may be empty. On a member of a section, with a default.
   */
  slot: 'x-slot',
  /**
   * A sentence: the field was removed, and what to set instead. Setting it is an error with this
   * sentence. On a member that is optional.
   */
  removed: 'x-removed',
  /**
   * What holds while the member is absent, in a few words for people, if no `default` says it
   * (`provider default`) or the default is not to be shown. For documentation alone.
   */
  defaultText: 'x-default-text',
  /**
   * The name of the place that this object opens for extensions (`SchemaExtension.place`). On an
   * object.
   */
  extensionPlace: 'x-extension-place',
  /** Beside `x-extension-place`: the member of the object whose text picks the variant. */
  variantMember: 'x-variant-member',
  /**
   * Beside `x-extension-place`: other spellings of variants, as an object from spelling to variant.
   */
  variantAliases: 'x-variant-aliases',
  /**
   * Keys of a map that may be named in the environment although the file does not have them,
   * spelled as they are (`github-copilot`). `_` in a variable's name matches `-` in them. On a map.
   */
  knownKeys: 'x-known-keys',
} as const)

/**
 * `at-use`: the reference is kept as text and resolved by `kernel.secrets` each time it is needed;
 * a missing variable is only a warning at the start. `never`: strings are literal.
 */
export type ExpansionMode = 'at-use' | 'never'

/** Values of `format` that the kernel checks in the configuration. Any other is documentation. */
export const configurationFormats = Object.freeze({
  /** An absolute URL with `http` or `https`, without user name, password, query or fragment. */
  httpUrl: 'http-url',
  /** Exact origins (`https://app.example`, `app://obsidian.md`), comma-separated. `*` and `null` are refused. */
  originList: 'origin-list',
  /** IP addresses and networks (`10.0.0.0/8`), comma-separated. */
  networkList: 'network-list',
  /** An IP address or a host name to listen on. */
  host: 'host',
  /** A name of the IANA time zone database. */
  timeZone: 'time-zone',
} as const)
