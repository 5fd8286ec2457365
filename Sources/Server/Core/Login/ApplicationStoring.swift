/// Stores registered applications (OAuth 2 clients). Only the hashes of client secrets are stored.
package protocol ApplicationStoring: Sendable {
    /// Registers an application.
    /// - Returns: The application with its new id.
    func register(_ application: ClientApplication, secretHash: [UInt8]) async throws -> ClientApplication
    /// - Returns: The application, or `nil` if the client id is unknown or the secret is wrong.
    func application(clientID: String, secretHash: [UInt8]) async throws -> ClientApplication?
    func application(clientID: String) async throws -> ClientApplication?
    /// The application a token was issued to. Tokens created on the command line belong to an application with id 0.
    func application(ofToken hash: [UInt8]) async throws -> ClientApplication?
}
