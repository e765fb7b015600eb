// The health check of MongoDB in compose.yaml, run by mongosh on the same machine. Exits with 0 once clients can write.
const admin = db.getSiblingDB('admin')
const password = fs.readFileSync('/secrets/mongodb-password', 'utf8')
try {
  admin.auth('vitrine', password)
} catch {
  // Until there is a user, MongoDB lets this machine do what follows. A volume from before there were passwords is taken over.
  const isNew = !admin.hello().setName
  if (isNew) rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] })
  else admin.createUser({ user: 'vitrine', pwd: password, roles: ['root'] })
}
quit(admin.hello().isWritablePrimary && admin.auth('vitrine', password).ok ? 0 : 1)
