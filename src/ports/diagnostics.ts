/** What a look at one part of the installation has found, for people. */
export interface Finding {
  check: string
  healthy: boolean
  finding: string
  /** How to mend it. */
  remedy?: string
}

export const passed = (check: string, finding: string): Finding => ({ check, healthy: true, finding })

export const failed = (check: string, finding: string, remedy: string): Finding => ({ check, healthy: false, finding, remedy })
