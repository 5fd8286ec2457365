import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// Every endpoint checks tokens as declared.
@Suite(.hangLimit)
struct AccessRuleTests {
    /// A request for every endpoint, with the unknown id 1 for every id.
    private static func endpoints(_ test: TestServices) -> [FeedWeb.Endpoint] {
        test.services.endpoints().filter { $0.method != .head }
    }

    @Test func everyEndpointIsDeclaredOnce() throws {
        let declared = try TestServices().services.endpoints().map(\.testDescription)
        #expect(declared.count > 80 && Set(declared).count == declared.count)
    }

    @Test func everyEndpointChecksItsAccess() async throws {
        let test = try TestServices(registration: .open)
        let (ada, _) = try await test.account("ada")
        let application = try await test.services.stores.applications.register(
            ClientApplication(clientID: "x", name: "x", scopes: .all), secretHash: [1])
        let client = TestClient(test.services)
        func ask(_ route: FeedWeb.Endpoint, _ scopes: Set<Scope>?, isPerson: Bool = true) async throws -> (
            Int, String
        ) {
            var headers: HTTPFields = [:]
            if let scopes {
                let words = ScopeSet(names: scopes.map(\.rawValue).sorted())
                let token = try await test.services.login.tokens.create(
                    for: isPerson ? ada.id : nil, scopes: words, application: application)
                headers[.authorization] = "Bearer " + token
            }
            return try await client.execute(uri: route.testPath, method: route.method, headers: headers) {
                ($0.status.code, String(buffer: $0.body))
            }
        }
        for route in Self.endpoints(test) {
            let rule = route.access
            let (anonymous, text) = try await ask(route, nil)
            switch rule {
            case .open, .unchecked: continue
            case .optional: #expect(anonymous != 401 && anonymous != 403, "\(route)")
            case .member: #expect((route.method == .get ? [302] : [401, 403]).contains(anonymous), "\(route)")
            case .administrator:
                #expect((route.method == .get ? [302] : [401, 403]).contains(anonymous), "\(route)")
                #expect(try await ask(route, Self.all).0 == 404, "\(route) does not exist for members")
                continue
            case .account, .admin, .token: #expect(anonymous == 401 && text.hasPrefix("{\"error\":\""), "\(route)")
            }
            guard let scope = rule.scope else { continue }
            let (refused, why) = try await ask(route, Self.all.filter { !$0.includes(scope) })
            #expect(refused == 403 && why.contains("outside the authorized scopes"), "\(route) without \(scope)")
            let (allowed, response) = try await ask(route, [scope])
            #expect(allowed != 401 && !response.contains("outside the authorized"), "\(route) with \(scope)")
            if case .admin = rule { #expect(allowed == 403, "\(route) is for administrators only") }
            if rule.needsAccount {
                let (program, shape) = try await ask(route, Self.all, isPerson: false)
                #expect(program == 422 && shape.contains("requires an authenticated user"), "\(route)")
            }
        }
    }

    @Test func unknownTokenIsRejectedWhereverTokensAreChecked() async throws {
        let test = try TestServices()
        let client = TestClient(test.services)
        for route in Self.endpoints(test) where ![.open, .unchecked].contains(route.access) {
            let headers: HTTPFields = [.authorization: "Bearer wrong-wrong-wrong-wrong"]
            let status = try await client.execute(uri: route.testPath, method: route.method, headers: headers) {
                $0.status.code
            }
            #expect(status == 401, "\(route) \(status)")
        }
    }

    @Test(arguments: [
        ("read", "read:statuses", true), ("read:statuses", "read:statuses", true), ("read:statuses", "read", false),
        ("read", "write:statuses", false), ("follow", "write:follows", true), ("follow", "read:mutes", true),
        ("follow", "write:statuses", false), ("write", "write:blocks", true), ("rea", "read:statuses", false),
        ("read", "admin:read:accounts", false), ("admin:read", "admin:read:accounts", true),
        ("profile", "read:accounts", false), ("admin:write", "admin:read:reports", false),
        ("admin:write:reports", "admin:write:accounts", false),
    ])
    func broadScopeIncludesItsParts(scope: String, needed: String, isEnough: Bool) {
        #expect(ScopeSet(names: [scope]).allows(name: needed) == isEnough)
    }

    /// A token with `profile` can do nothing else.
    @Test func profileIsReadableWithItsOwnScope() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let token = try await test.services.login.tokens.create(
            for: ada.id, scopes: try ScopeSet(parsing: "profile"), application: ClientApplication(name: ""))
        let readable = test.services.endpoints()
            .filter { $0.method == .get && $0.access.scope.map(ScopeSet(names: ["profile"]).allows) ?? false }
        #expect(readable.map(\.testPath) == ["/api/v1/accounts/verify_credentials"])
        let client = TestClient(test.services)
        for (path, status) in [("verify_credentials", 200), ("\(ada.id)", 403), ("relationships?id[]=1", 403)] {
            let answer = try await client.execute(
                uri: "/api/v1/accounts/" + path, method: .get, headers: [.authorization: "Bearer " + token]
            ) { $0.status.code }
            #expect(answer == status, "\(path)")
        }
    }

    /// `read` includes all of its parts, so it is not a scope that a token may lack.
    private static let all = Set(Scope.allCases).subtracting([.read])
}

extension Scope {
    /// Whether a token with this scope may do what requires the other.
    fileprivate func includes(_ other: Scope) -> Bool { ScopeSet(names: [rawValue]).allows(other) }
}

extension AccessRule {
    fileprivate var needsAccount: Bool {
        switch self {
        case .account, .member, .admin: true
        default: false
        }
    }
}

extension FeedWeb.Endpoint {
    var testDescription: String { "\(method) \(path.pattern)" }
    var testPath: String {
        "/" + path.pattern.split(separator: "/").map { $0.replacing(/\{[^}]*\}/, with: "1") }.joined(separator: "/")
    }
}
