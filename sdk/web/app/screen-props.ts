/** What the component of a screen gets. */
export interface ScreenProps {
  /** Parameters of the route, decoded. */
  readonly params: Readonly<Record<string, string>>
}
