import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Invalid or malformed bodies: Mastodon's status code and error format, and nothing stored.
@Suite(.hangLimit)
struct BadBodyTests {
    @Test func invalidBodiesAreRejectedAndNotStored() async throws {
        try await RefusalTests.refuse { api, world in
            var state = try await Fingerprint(api.test)
            var checked: [String] = []
            for (number, row) in BadBody.all.enumerated() {
                try await Self.check(row, api, world)
                checked.append(row.name)
                // A fingerprint takes longer than a request; a failure names the rows since the previous one.
                guard number % 10 == 9 || number == BadBody.all.count - 1 else { continue }
                let now = try await Fingerprint(api.test)
                let changes = state.changes(to: now)
                #expect(changes.isEmpty, "one of \(checked) changed \(changes)")
                (state, checked) = (now, [])
            }
        }
    }

    private static func check(_ row: BadBody, _ api: WebAPI, _ world: EndpointWorld) async throws {
        var body = row.body
        if body?.type == "application/x-www-form-urlencoded",
            let text = body.map({ String(decoding: $0.bytes, as: UTF8.self) }),
            text.contains("={")
        {
            body = .form(filled(text, world))
        }
        let method = try #require(HTTPRequest.Method(rawValue: row.method))
        let person = row.isAnonymous ? nil : try world.person(row.viewer)
        let response = try await api.send(method, filled(row.path, world), as: person, body, headers: row.headers)
        RefusalTests.expect(row.codes, response, row.name)
    }

    private static func filled(_ text: String, _ world: EndpointWorld) -> String {
        world.ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// An implausible limit is clamped, as in Mastodon.
    @Test(arguments: ["0", "-5", "x", "", "99999999999999999999", "1e3"])
    func limitIsClamped(limit: String) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for index in 0..<90 { _ = try await api.post("post \(index)", by: ada) }
            for path in ["timelines/home", "timelines/public", "accounts/\(ada.id)/statuses"] {
                let response = try await api.send(.get, "/api/v1/\(path)?limit=\(limit)", as: ada)
                let count = response.json?.list?.count ?? -1
                #expect(response.status == 200 && (1...40).contains(count), "\(path): \(count), \(response.summary)")
            }
        }
    }
}
