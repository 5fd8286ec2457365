import AsyncHTTPClient
public import FeedAPI
import NIOCore

extension FeedClient {
    private static let loginsPerPage = 80
    /// Ends the reading of a list whose server keeps sending pages.
    private static let maximumLoginPages = 100

    /// Reads the logins of this account, newest first, from as many pages as necessary. feedserver and GoToSocial have them.
    /// - Parameter onPage: Receives the logins of each page, before the next page is requested. Returns whether to read on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readLogins(onPage: (_ logins: [Entity.Login]) async throws -> Bool) async throws {
        var cursors = PageCursors()
        var before: String?
        for _ in 0..<Self.maximumLoginPages {
            let query = [("limit", String(Self.loginsPerPage)), ("max_id", before)]
            let response = try await explaining("The server does not list logins") {
                try await transport.send(request(Paths.tokens, query: query))
            }
            let logins = try elements(of: response, as: Entity.Login.self).compactMap(\.value)
            guard try await onPage(logins), let next = response.links.nextMaxID, cursors.advance(to: next) else {
                return
            }
            before = next
        }
    }

    /// Ends a login of this account.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if there is no such login.
    @discardableResult public func endLogin(_ id: String) async throws -> Entity.Login {
        let path = Paths.tokens + "/" + Self.percentEncoded(id) + "/invalidate"
        do {
            return try await transport.send(formRequest(path, [])).decode(Entity.Login.self)
        } catch let error as FeedClientError where error.status == 404 {
            throw FeedClientError(
                .notFound, "No login \(id)", hint: "feedclient logins lists them, if the server does.", cause: error,
                status: 404)
        }
    }

    /// Changes the password of this account. feedserver then ends all other logins. GoToSocial has the same method.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` if the old password is wrong.
    public func changePassword(from old: String, to new: String) async throws {
        let fields = [("old_password", old), ("new_password", new)]
        do {
            _ = try await explaining("The server does not let apps change passwords") {
                try await transport.send(formRequest(Paths.passwordChange, fields))
            }
        } catch let error as FeedClientError where error.status == 401 && credential != nil {
            throw FeedClientError(
                .unauthorized, error.message, hint: "Check the current password.", cause: error, status: 401)
        }
    }

    /// Explains the response of a server without an extension that `body` uses.
    private func explaining<Value>(_ message: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as FeedClientError where [404, 405, 410, 501].contains(error.status) {
            throw FeedClientError(.failed, message, hint: "Look on its website.", cause: error, status: error.status)
        }
    }
}
