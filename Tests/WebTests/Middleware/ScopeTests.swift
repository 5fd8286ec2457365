import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import FeedWeb

/// The scope table against the router: no endpoint is forgotten, and every one keeps to its row.
@Suite(.timeLimit(.minutes(15)))
struct ScopeTests {
    /// A route of the API as a request, with 1 for every id: the id of nobody.
    private struct Route: CustomStringConvertible {
        let method: HTTPRequest.Method
        let endpoint: String
        let rule: ScopeTable.Rule?

        var path: String {
            "/" + endpoint.split(separator: "/").map { $0.first == "{" ? "1" : $0 }.joined(separator: "/")
        }
        var description: String { "\(method) \(endpoint)" }
    }

    private static func routes(_ test: TestServices) -> [Route] {
        FeedRouter.build(test.services).routes.filter { $0.path.description.hasPrefix("/api/") }.map {
            Route(
                method: $0.method, endpoint: $0.path.description,
                rule: ScopeTable.rule($0.method, $0.path.description))
        }
    }

    /// Every scope in the table.
    private static let universe = Set(ScopeTable.rows.compactMap(\.rule.scope))

    @Test func everyEndpointIsInTheTableOnce() throws {
        let routes = Self.routes(try TestServices())
        #expect(routes.count > 30)
        for route in routes { #expect(route.rule != nil, "\(route) is missing in ScopeTable") }
        let endpoints = ScopeTable.rows.flatMap(\.endpoints)
        #expect(Set(endpoints).count == endpoints.count)
    }

    @Test func everyEndpointKeepsToItsRow() async throws {
        let test = try TestServices(opensRegistration: true)
        let (ada, _) = try await test.account("ada")
        let application = try await test.services.applications.register(
            ClientApplication(clientID: "x", name: "x", scopes: .all), secretHash: [1])
        try await Application(router: FeedRouter.build(test.services)).test(.router) { client in
            func ask(_ route: Route, _ scopes: Set<String>?, isPerson: Bool = true) async throws -> (Int, String) {
                var headers: HTTPFields = [:]
                if let scopes {
                    let words = Scopes(words: scopes.sorted())
                    let token = try await test.services.tokens.create(
                        for: isPerson ? ada.id : nil, scopes: words, application: application)
                    headers[.authorization] = "Bearer " + token
                }
                return try await client.execute(uri: route.path, method: route.method, headers: headers) {
                    ($0.status.code, String(buffer: $0.body))
                }
            }
            for route in Self.routes(test) where route.method != .head {
                let rule = try #require(route.rule)
                let (anonymous, text) = try await ask(route, nil)
                switch rule {
                case .open, .reader: #expect(anonymous != 401 && anonymous != 403, "\(route)")
                case .account, .program: #expect(anonymous == 401 && text.hasPrefix("{\"error\":\""), "\(route)")
                }
                guard let scope = rule.scope else { continue }
                let (refused, why) = try await ask(route, Self.universe.subtracting([scope]))
                #expect(refused == 403 && why.contains("outside the authorized scopes"), "\(route) without \(scope)")
                let (allowed, answer) = try await ask(route, [scope])
                #expect(allowed != 401 && !answer.contains("outside the authorized"), "\(route) with \(scope)")
                if case .account = rule {
                    let (program, shape) = try await ask(route, Self.universe, isPerson: false)
                    #expect(program == 422 && shape.contains("requires an authenticated user"), "\(route)")
                }
            }
        }
    }

    @Test func aTokenThatIsNoneIsRefusedWhereverOneIsLookedAt() async throws {
        let test = try TestServices()
        try await Application(router: FeedRouter.build(test.services)).test(.router) { client in
            for route in Self.routes(test) where route.method != .head {
                let headers: HTTPFields = [.authorization: "Bearer wrong-wrong-wrong-wrong"]
                let status = try await client.execute(uri: route.path, method: route.method, headers: headers) {
                    $0.status.code
                }
                #expect((status == 401) == (route.rule != .open), "\(route) \(status)")
            }
        }
    }

    @Test(arguments: [
        ("read", "read:statuses", true), ("read:statuses", "read:statuses", true), ("read:statuses", "read", false),
        ("read", "write:statuses", false), ("follow", "write:follows", true), ("follow", "read:mutes", true),
        ("follow", "write:statuses", false), ("write", "write:blocks", true), ("rea", "read:statuses", false),
    ])
    func scopesGrantTheirParts(scope: String, needed: String, isEnough: Bool) {
        #expect(Scopes(words: [scope]).allows(needed) == isEnough)
    }
}
