/// Programs that registered themselves (OAuth 2 clients); of their secrets only the hashes are stored.
package protocol ApplicationStoring: Sendable {
    func register(_ application: ClientApplication, secretHash: [UInt8]) async throws -> ClientApplication
    /// - Returns: The program, when the secret is the right one.
    func application(clientID: String, secretHash: [UInt8]) async throws -> ClientApplication?
    func application(clientID: String) async throws -> ClientApplication?
    /// The program a token was issued to; one of this machine has the id 0.
    func application(ofToken hash: [UInt8]) async throws -> ClientApplication?
}
