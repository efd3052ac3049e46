import type { Configuration } from '@agent-service/sdk/web/configuration'
import { type JSX, Match, Switch } from 'solid-js'
import { type Edit, isConflictOf } from '../model/edits.js'
import type { Row } from '../model/layout.js'
import { fileName, isWithin } from '../model/schema.js'
import { AddRow, EntryRow, GroupRow } from './entry-rows.js'
import { SettingRow } from './setting-row.js'

/** One line of the page, by its kind. */
export function Line(props: {
  readonly row: () => Row | undefined
  readonly edits: Readonly<Record<string, Edit>>
  readonly configuration: Configuration
  readonly problemsAt: (path: string) => readonly string[]
  readonly overlapsAt: (path: string) => readonly { readonly path: string; readonly typed: string; readonly custom: string }[]
  readonly withPlace: boolean
  readonly onEdit: (path: string, edit: Edit | undefined) => void
  readonly onKeep: (path: string) => void
  readonly onRemove: (parts: readonly string[], isSaved: boolean) => void
  readonly onAdd: (parts: readonly string[]) => void
  readonly isTaken: (parts: readonly string[]) => boolean
}): JSX.Element {
  const of = <Kind extends Row['kind']>(kind: Kind) => {
    const row = props.row()
    return row?.kind === kind ? (row as Extract<Row, { kind: Kind }>) : undefined
  }
  return (
    <Switch>
      <Match when={of('setting')}>
        {(row) => {
          const path = () => row().setting.path
          const edit = () => props.edits[path()]
          return (
            <SettingRow
              setting={row().setting}
              edit={edit()}
              problems={props.problemsAt(path())}
              overlaps={row().setting.kind === 'json' ? props.overlapsAt(path()) : []}
              isConflict={isConflictOf(edit(), props.configuration)}
              file={fileName(props.configuration)}
              withPlace={props.withPlace}
              onEdit={(next) => props.onEdit(path(), next)}
              onKeep={() => props.onKeep(path())}
            />
          )
        }}
      </Match>
      <Match when={of('group')}>{(row) => <GroupRow row={row()} />}</Match>
      <Match when={of('entry')}>
        {(row) => (
          <EntryRow
            row={row()}
            edit={props.edits[row().path]}
            problems={props.problemsAt(row().path)}
            isLocked={props.configuration.locked.some(({ path }) => isWithin(row().path, path))}
            onRemove={() => props.onRemove(row().parts, row().isSaved)}
            onRestore={() => props.onEdit(row().path, undefined)}
          />
        )}
      </Match>
      <Match when={of('add')}>{(row) => <AddRow row={row()} taken={props.isTaken} onAdd={props.onAdd} />}</Match>
    </Switch>
  )
}
