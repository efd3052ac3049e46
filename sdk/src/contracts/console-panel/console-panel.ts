import type { Contribution } from '../../core/contribution-point.js'
import type { PanelSection } from './panel-section.js'
import type { PanelText } from './panel-text.js'

/**
 * Where the console shows a panel: `main` among the main places, `personal` in the account menu,
 * `admin` in administration, `none` nowhere in the navigation, since links lead to it. Two places are
 * for a {@link PanelScreen} alone: `user` is a tab on the page of a user, whose component gets `userId`,
 * and `set_up` a step of the set-up. Those in `admin`, `user` and `set_up` are for administrators, and
 * others do not learn of them.
 */
export type PanelGroup = 'main' | 'personal' | 'admin' | 'none' | 'user' | 'set_up'

/** A page that the console makes from data. */
export interface PanelPage {
  /** What tells it from the other kinds. */
  readonly kind: 'sections'
  /** From the top down, 1 to 20. */
  readonly sections: readonly PanelSection[]
}

/**
 * A page that the plugin draws: a web component in a frame of its own. The frame has an opaque
 * origin and no network: it reaches no cookie, no storage, no other page and no address. It talks
 * to the console by the {@link PanelBridge} `consolePanel`.
 */
export interface PanelComponent {
  /** What tells it from the other kinds. */
  readonly kind: 'component'
  /** The name of the custom element that the module defines: `dice-board`. */
  readonly element: string
  /**
   * The absolute path of a JavaScript module of the plugin's package, at most 512 KiB. One file:
   * the frame cannot import. Read when the panel is opened.
   */
  readonly module: string
  /** The absolute path of a style sheet, at most 128 KiB. Default: the styles of the console alone. */
  readonly styles?: string
}

/**
 * A page that the plugin makes of the console's own kit, `@agent-service/sdk/web`. It runs in the page
 * of the console, not in a frame, with the rights of whoever is signed in: it can read and do all that
 * this person can. So a third party's manifest asks for the permission `console`, with a reason; without
 * it the panel is refused.
 *
 * Two things stay private to the console and are no panels. Pages before sign-in (signing in,
 * registration) see passwords, which no plugin may. The shell (navigation, session, the set-up's and the
 * user's page around a step or tab) is what a person trusts to say where they are.
 */
export interface PanelScreen {
  /** What tells it from the other kinds. */
  readonly kind: 'screen'
  /**
   * The absolute path of the built folder of the plugin's package, in which `screens.json`
   * ({@link BuiltScreens}) is: `fileURLToPath(new URL('./web/', import.meta.url))`. Its files are
   * served at `/assets/plugins/<plugin id>/` to everyone who reaches the service, before sign-in too,
   * while the plugin runs.
   */
  readonly folder: string
  /** The name of the screen in `screens.json`. Kebab-case. */
  readonly screen: string
  /**
   * For built-ins: the patterns of the paths of its pages, 1 to 20. `/tasks`; `:` begins a parameter,
   * `/chats/:chatId`; `*` at the end is the rest of a path, which may be empty, `/files/*`. Of the group
   * `admin` they lie below `/admin`. One panel has a pattern, and none has the paths of the console itself. Of a
   * tab or a step there are none. Default: `/panels/<id>` and `/panels/<id>/*`, of the group `admin` below `/admin`.
   */
  readonly routes?: readonly string[]
}

/** A page or a settings form of the web console. Plain data. */
export interface ConsolePanel extends Contribution {
  /** The generation of this contract that the panel is written for. */
  readonly specVersion: 1
  /**
   * Kebab-case; the last part of its address. Of a third party the plugin's id, or beginning with
   * it and a dash.
   */
  readonly id: string
  /** In the navigation and above the page, at most 60 characters. */
  readonly title: PanelText
  /** One or two sentences below the title. Default none. */
  readonly description?: PanelText
  /** The name of an icon of the console; an unknown one is replaced. Default `plug`. */
  readonly icon?: string
  /** Where it is shown, and to whom. */
  readonly group: PanelGroup
  /** Among the panels of its group, from low to high. Default 50. */
  readonly order?: number
  /** Words under which the palette of the console finds it beside its title, at most 300 characters. Default none. */
  readonly keywords?: PanelText
  /** What is on the page. */
  readonly content: PanelPage | PanelComponent | PanelScreen
}
