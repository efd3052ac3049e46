import type { Contribution } from '../../core/contribution-point.js'
import type { PanelSection } from './panel-section.js'
import type { PanelText } from './panel-text.js'

/** Where the console shows a panel: among the main places, in the account menu, in administration. */
export type PanelGroup = 'main' | 'personal' | 'admin'

/** A page that the console makes from data. */
export interface PanelPage {
  /** What tells it from {@link PanelComponent}. */
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
  /** What tells it from {@link PanelPage}. */
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
  /** Panels in `admin` are for administrators alone, and others do not learn of them. */
  readonly group: PanelGroup
  /** Among the panels of its group, from low to high. Default 50. */
  readonly order?: number
  /** What is on the page. */
  readonly content: PanelPage | PanelComponent
}
