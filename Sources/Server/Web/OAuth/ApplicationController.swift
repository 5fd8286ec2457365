import FeedAPI
import FeedCore
import Foundation
import Hummingbird

/// Programs register themselves: `POST /api/v1/apps`.
struct ApplicationController: Sendable {
    /// For programs that show the code to the person.
    static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

    let services: Services

    func addRoutes(to router: Router<FeedContext>) {
        router.post("/api/v1/apps", use: register)
    }

    @Sendable func register(_ request: Request, _ context: FeedContext) async throws -> Response {
        let input = try await request.input(limits: services.limits, context: context)
        let secret = AccessTokens.randomText()
        let application = try await services.applications.register(
            try Self.application(input), secretHash: AccessTokens.hash(secret))
        return Response(json: Self.json(application, secret: secret))
    }

    private static func application(_ input: InputValues) throws(FeedError) -> ClientApplication {
        guard let name = input["client_name"], !name.isEmpty, name.utf8.count <= 200 else {
            throw .invalid("Application name can't be blank, and has at most 200 bytes")
        }
        let addresses = input.all("redirect_uris").flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        guard addresses.count <= 10, addresses.allSatisfy(isAddress) else {
            throw .invalid("Redirect URI must be an absolute URI")
        }
        let website = input["website"].flatMap { $0.isEmpty ? nil : $0 }
        guard (website?.utf8.count ?? 0) <= 2000 else { throw .invalid("Website is too long") }
        return ClientApplication(
            clientID: AccessTokens.randomText(), name: name, website: website,
            redirectURIs: addresses.isEmpty ? [outOfBand] : addresses,
            scopes: try Scopes(parsing: input["scopes"].flatMap { $0.isEmpty ? nil : $0 } ?? "read"))
    }

    private static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 2000, let scheme = URL(string: text)?.scheme?.lowercased() else { return false }
        return !["javascript", "data", "vbscript"].contains(scheme)
    }

    private static func json(_ application: ClientApplication, secret: String) -> JSONWriter {
        var json = JSONWriter()
        json.object {
            $0.field("id", id: application.id)
            $0.field("name", application.name)
            $0.field("website", application.website)
            $0.array("scopes") { for word in application.scopes.words { $0.string(word) } }
            $0.field("redirect_uri", application.redirectURIs.joined(separator: "\n"))
            $0.array("redirect_uris") { for address in application.redirectURIs { $0.string(address) } }
            $0.field("client_id", application.clientID)
            $0.field("client_secret", secret)
            $0.field("client_secret_expires_at", 0)
            $0.field("vapid_key", "")
        }
        return json
    }
}
