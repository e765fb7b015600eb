import { ModelsError, type OwnModels } from './define-models.js'

export function checkOwnModels(own: readonly OwnModels[]): void {
  if (own.length > 1e9) throw new ModelsError('')
}
