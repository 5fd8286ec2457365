import AsyncHTTPClient
public import FeedAPI
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// The profile of this account, decoded and as the server sent it.
    /// - Throws: ``FeedClientError``.
    public func profile() async throws -> (profile: Entity.Profile, json: [UInt8]) {
        try Self.profile(try await transport.send(request(Paths.verifyCredentials)))
    }

    /// Changes the profile of this account.
    /// - Returns: The profile with all changes, decoded and as the server sent it.
    /// - Throws: ``FeedClientError``; `.notFound`, before anything is sent, if a picture does not exist.
    public func updateProfile(
        _ draft: ProfileDraft
    ) async throws -> (profile: Entity.Profile, json: [UInt8]) {
        let pictures = [("avatar", draft.avatar), ("header", draft.header)]
        var form = PictureForm()
        for case (let name, .file(let path)?) in pictures { try form.addFile(path, as: name) }
        for case (let name, let value?) in draft.form { form.addField(name, value) }
        for case (let name, .removed?) in pictures { try await removePicture(name) }
        guard !form.isEmpty else { return try await profile() }
        var request = request(Paths.updateCredentials)
        form.add(to: &request)
        request.method = .PATCH
        return try Self.profile(try await transport.send(request))
    }

    private func removePicture(_ name: String) async throws {
        var request = request(Paths.profile + "/" + name)
        request.method = .DELETE
        _ = try await transport.send(request)
    }

    private static func profile(_ response: Response) throws -> (profile: Entity.Profile, json: [UInt8]) {
        (try response.decode(Entity.Profile.self), response.bytes)
    }
}
