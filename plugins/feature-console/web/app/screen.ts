import type { IconName, ScreenProps, Text } from '@agent-service/sdk/web'
import type { Component } from 'solid-js'

/** The groups of the navigation, in their order; `admin` replaces the others below `/admin`. */
export type NavigationGroup = 'main' | 'personal' | 'admin' | 'none'

/** A screen: data that the shell reads at the start, and a module that is loaded when it is shown. */
export interface Screen {
  /** Unique; the name of its folder. */
  readonly name: string
  /** Patterns of its paths: `/files`, `/files/*`, `/chats/:chatId`. */
  readonly routes: readonly string[]
  /** Of the tab and in the navigation. */
  readonly title: Text
  /** Where the navigation shows it; `none`: nowhere. */
  readonly group: NavigationGroup
  /** Order in the group, from low to high. Default 50. */
  readonly order?: number
  readonly icon?: IconName
  /** Only for admins; others get the page that says so. Default false. */
  readonly admin?: boolean
  /** Also before sign-in, without the frame of navigation. Default false. */
  readonly open?: boolean
  /** Words under which the command palette finds it too. */
  readonly keywords?: Text
  /**
   * Runs once when somebody has signed in, loaded lazily: for parts of the sidebar, sources of the
   * palette and commands that exist while another screen is shown. What it adds is taken back when the screen goes.
   */
  readonly start?: () => Promise<{ readonly start: () => void }>
  readonly load: () => Promise<{ readonly default: Component<ScreenProps> }>
}

/** Declares a screen of the console itself, in `screens/<name>/index.ts`. */
export const defineScreen = (screen: Screen): Screen => screen
