import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A service of compose.yaml, as far as tests look at it. */
export interface Service {
  image?: string
  build?: string
  profiles?: string[]
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean; retries?: number } & Partial<Record<Duration, string>>
  volumes?: string[]
  ports?: string[]
  read_only?: boolean
  user?: string
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  mem_limit?: string
  cpus?: number
  pids_limit?: number
  logging?: { driver: string; options: Record<string, string> }
  restart?: string
  deploy?: { replicas: number }
  entrypoint?: string[]
  command?: string[]
}

type Duration = 'interval' | 'timeout' | 'start_period' | 'start_interval'

interface Compose {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}

export const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose
export const services = Object.entries(compose.services)
