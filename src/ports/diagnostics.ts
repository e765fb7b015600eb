/** The result of checking one part of the installation. */
export interface Finding {
  check: string
  healthy: boolean
  finding: string
  /** How to fix it. */
  remedy?: string
}

export const passed = (check: string, finding: string): Finding => ({ check, healthy: true, finding })

export const failed = (check: string, finding: string, remedy: string): Finding => ({ check, healthy: false, finding, remedy })
