import type { TObject } from 'typebox'
import type { JsonValue } from '../../core/json.js'
import type { PanelText } from './panel-text.js'

/** How a value of an answer is written. `moment` reads RFC 3339, `duration` milliseconds. */
export type PanelFormat = 'text' | 'number' | 'bytes' | 'percent' | 'moment' | 'duration' | 'yes_no' | 'code'

/** A member of an answer, with its name on the page. */
export interface PanelMember {
  /** Dotted: `eyes`, `last.eyes`. A missing one is shown as a dash. */
  readonly member: string
  /** The heading of the column, or the name of the value. */
  readonly label: PanelText
  /** Default `text`. */
  readonly format?: PanelFormat
}

/**
 * A button that calls a route of the plugin. When the call has succeeded, the page reads its data
 * again.
 */
export interface PanelAction {
  /** Verb first: `Roll again`. */
  readonly label: PanelText
  /** Of the route. */
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Of a route of the plugin. In a table, `{id}` stands for the member `id` of the row; elsewhere
   * a path has no parameters.
   */
  readonly path: string
  /** What is sent. Default: nothing. */
  readonly body?: JsonValue
  /** Asked before. Whatever cannot be undone has one. Default: not asked. */
  readonly confirm?: {
    /** A question: `Clear the history?` */
    readonly title: PanelText
    /** What happens then. */
    readonly text: PanelText
  }
  /** Reported when it is done: `The history is empty.` */
  readonly done: PanelText
}

/** A paragraph. Lines are kept; markup is shown as text. */
export interface PanelTextSection {
  /** The kind of section. */
  readonly kind: 'text'
  /** A heading. Default none. */
  readonly title?: PanelText
  /** At most 2,000 characters. */
  readonly text: PanelText
}

/** Names with values, from the object that a route answers with. */
export interface PanelValues {
  /** The kind of section. */
  readonly kind: 'values'
  /** A heading. Default none. */
  readonly title?: PanelText
  /** The path of a GET of the plugin, without parameters. */
  readonly source: string
  /** 1 to 40. */
  readonly values: readonly PanelMember[]
}

/** Rows from a list (`{items, next_cursor}`); further pages are loaded when asked for. */
export interface PanelTable {
  /** The kind of section. */
  readonly kind: 'table'
  /** A heading; also the name of the table for assistive technology. */
  readonly title: PanelText
  /** The path of a GET of the plugin, without parameters, that answers with a page. */
  readonly source: string
  /** The member of a row that identifies it. */
  readonly key: string
  /** 1 to 12. */
  readonly columns: readonly PanelMember[]
  /** In place of rows: what belongs here. */
  readonly empty: PanelText
  /** For each row, at most 5. Default none. */
  readonly actions?: readonly PanelAction[]
}

/** A form that is made from a schema and sent to a route of the plugin. */
export interface PanelForm {
  /** The kind of section. */
  readonly kind: 'form'
  /** A heading. Default none. */
  readonly title?: PanelText
  /** Of the object that is sent. Its properties are the fields, in their order. */
  readonly schema: TObject
  /**
   * Names and explanations of fields in the person's language, by property; they replace `title`
   * and `description` of the schema. Default: the schema's.
   */
  readonly fields?: Readonly<Record<string, { readonly label: PanelText; readonly help?: PanelText }>>
  /** The path of a GET whose answer fills the fields; others of its members are left out. Default: empty fields. */
  readonly load?: string
  /** The route that the object is sent to. */
  readonly save: {
    /** Of the route. */
    readonly method: 'POST' | 'PUT' | 'PATCH'
    /** Without parameters. */
    readonly path: string
  }
  /** The verb of the button: `Save`. */
  readonly action: PanelText
  /** Reported when it is done. */
  readonly done: PanelText
}

/**
 * The plugin's settings, made from the schema of its configuration, with where each value comes
 * from, locked ones, and the question before they are saved. In the group `admin` alone.
 */
export interface PanelSettings {
  /** The kind of section. */
  readonly kind: 'settings'
  /** A heading. Default none. */
  readonly title?: PanelText
  /** For built-ins: the section of the configuration. Default: `plugins.settings.<plugin id>`. */
  readonly section?: string
}

/** Buttons beside each other. */
export interface PanelActions {
  /** The kind of section. */
  readonly kind: 'actions'
  /** A heading. Default none. */
  readonly title?: PanelText
  /** 1 to 10. */
  readonly actions: readonly PanelAction[]
}

/** A part of a page. */
export type PanelSection = PanelTextSection | PanelValues | PanelTable | PanelForm | PanelSettings | PanelActions
