import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Each integer parameter, in requests that are otherwise valid: the response says whether the number is accepted, so a
/// number that is never read, or a request that is refused for another reason, fails the test.
@Suite(.hangLimit)
struct IntegerParameterRangeTests {
    @Test func everyParameterHasARow() {
        let known = Set(IntegerParameterRow.all.map(\.parameter))
        #expect(IntegerParameter.allCases.filter { !known.contains($0) } == [])
    }

    @Test(arguments: [
        IntegerParameterRow.polls, IntegerParameterRow.filters, IntegerParameterRow.paging, IntegerParameterRow.people,
        IntegerParameterRow.statuses, IntegerParameterRow.markers, IntegerParameterRow.clamped,
    ])
    func validRequestsReachTheNumber(rows: [IntegerParameterRow]) async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for row in rows { try await Self.check(row, api, world) }
        }
    }

    private static func check(_ row: IntegerParameterRow, _ api: WebAPI, _ world: EndpointWorld) async throws {
        if let form = row.before {
            try await api.must(row.method, row.path, as: try world.person(row.viewer), .form(form))
        }
        // An empty value counts as missing.
        for text in EdgeNumbers.texts.filter({ !$0.isEmpty }) + row.edges(world.ids) {
            let response = try await send(row, text, api, world)
            if row.accepts(text, world.ids) {
                #expect(response.status == 200, "\(row.testDescription), \(text): \(response.summary)")
            } else {
                RefusalTests.expect([400, 404, 422], response, "\(row.testDescription), \(text)")
            }
        }
    }

    private static func send(
        _ row: IntegerParameterRow, _ text: String, _ api: WebAPI, _ world: EndpointWorld
    ) async throws -> WebResponse {
        var ids = world.ids
        if row.path.contains("{new}") {
            ids["new"] = try await api.post(
                "bob asks again", by: try world.person("bob"),
                more: "&poll[options][]=a&poll[options][]=b&poll[expires_in]=300")
        }
        func filled(_ text: String) -> String {
            ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
        }
        let value = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let field = "\(row.parameter.rawValue)=\(value)"
        let (path, viewer) = (filled(row.path), try world.person(row.viewer))
        guard row.method != .get else {
            return try await api.send(.get, path + (path.contains("?") ? "&" : "?") + field, as: viewer)
        }
        let form = [row.form.map(filled), field].compactMap(\.self).joined(separator: "&")
        return try await api.send(row.method, path, as: viewer, .form(form))
    }

    /// A number beyond the limits counts as the nearest one, anything else as missing.
    @Test func limitAndOffsetChangeThePage() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for name in ["zoe1", "zoe2", "zoe3"] { _ = try await api.post("hello", by: try await api.person(name)) }
            for text in EdgeNumbers.texts + ["2", "3"] {
                let value = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let page = try await api.must(.get, "/api/v1/timelines/public?limit=\(value)", as: ada)
                #expect(page.list?.count == min(3, max(1, Int(text) ?? 20)), "limit=\(text)")
                let search = "/api/v2/search?q=zoe&type=accounts&offset=\(value)"
                let found = try await api.must(.get, search, as: ada)
                #expect(found["accounts"]?.list?.count == 3 - min(3, max(0, Int(text) ?? 0)), "offset=\(text)")
            }
        }
    }
}
