/** Where the projector reports what it does. */
export interface EngineLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
