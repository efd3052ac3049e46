/** What of a schema in `GET /api/admin/config` says which settings there are. */
export interface SettingsNode {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, SettingsNode>>
  readonly patternProperties?: Readonly<Record<string, SettingsNode>>
  readonly 'x-harmless'?: boolean
  readonly 'x-secret'?: boolean
}

export interface Setting {
  readonly path: string
  readonly isHarmless: boolean
  readonly isSecret: boolean
}

/** Every setting of a schema; those of a map once, in the entry `any`. */
export function* settingsIn(root: SettingsNode, node: SettingsNode = root, path: readonly string[] = []): Generator<Setting> {
  const { properties = {}, patternProperties, ...rest } = resolved(root, node)
  const others = Object.values(patternProperties ?? {})
  const entries: readonly (readonly [string, SettingsNode])[] = [
    ...Object.entries(properties).filter(([, { $ref }]) => $ref === undefined || others.every((entry) => entry.$ref !== $ref)),
    ...others.map((entry) => ['any', entry] as const),
  ]
  if (entries.length === 0) yield { path: path.join('.'), isHarmless: rest['x-harmless'] === true, isSecret: rest['x-secret'] === true }
  for (const [name, member] of entries) yield* settingsIn(root, member, [...path, name])
}

function resolved(root: SettingsNode, node: SettingsNode): SettingsNode {
  if (node.$ref === undefined) return node
  const names = node.$ref.split('/').slice(1)
  const found = names.reduce<unknown>((holder, name) => (holder as Readonly<Record<string, unknown>>)[name], root)
  return resolved(root, found as SettingsNode)
}
