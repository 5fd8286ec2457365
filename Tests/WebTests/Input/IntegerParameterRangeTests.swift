import FeedCore
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

/// A request that is valid except for one number.
struct IntegerParameterRow: Sendable, CustomTestStringConvertible {
    /// The values with which the request succeeds.
    enum Accepted: Sendable {
        case range(ClosedRange<Int64>)
        /// Every text of digits, also beyond the range of an id.
        case digits
        /// Every id.
        case ids
        /// The id of this name of ``EndpointWorld``.
        case only(String)
        case nothing
        /// Every text, because the value is clamped.
        case everything
    }

    let parameter: IntegerParameter
    let method: HTTPRequest.Method
    /// May contain `{name}` for an id of ``EndpointWorld``, and `{new}` for a poll that is posted before each request.
    let path: String
    /// The other fields.
    let form: String?
    let accepted: Accepted
    var viewer: String
    /// A form that must have been sent before.
    var before: String?

    init(
        _ parameter: IntegerParameter, _ method: HTTPRequest.Method, _ path: String, _ form: String? = nil,
        accepts accepted: Accepted, as viewer: String = "ada", after before: String? = nil
    ) {
        self.parameter = parameter
        self.method = method
        self.path = path
        self.form = form
        self.accepted = accepted
        self.viewer = viewer
        self.before = before
    }

    var testDescription: String { "\(parameter.rawValue) in \(method) \(path)" }

    func accepts(_ text: String, _ ids: [String: String]) -> Bool {
        let isDigits = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        switch accepted {
        case .range(let range): return Int64(text).map(range.contains) ?? false
        case .digits: return isDigits
        case .ids: return isDigits && Int64(text) != nil
        case .only(let name): return text == ids[name]
        case .nothing: return false
        case .everything: return true
        }
    }

    /// Values at the limits of those that are accepted.
    func edges(_ ids: [String: String]) -> [String] {
        switch accepted {
        case .range(let range):
            let (low, high) = (range.lowerBound, range.upperBound)
            return [low - 1, low, high, high + 1].map { String($0) }
        case .only(let name): return [ids[name]].compactMap(\.self)
        default: return []
        }
    }
}

extension IntegerParameterRow {
    private static let century: ClosedRange<Int64> = 0...3_153_600_000
    private static let poll = "&poll[options][]=a&poll[options][]=b"

    static let all: [IntegerParameterRow] = polls + filters + paging + people + statuses + markers + clamped

    static let polls: [IntegerParameterRow] = [
        .init(.pollSeconds, .post, "/api/v1/statuses", "status=x" + poll, accepts: .range(PollLimits.seconds)),
        .init(
            .pollSeconds, .post, "/api/v1/statuses", "status=x&scheduled_at=2099-01-01T00%3A00%3A00Z" + poll,
            accepts: .range(PollLimits.seconds)),
        .init(
            .pollSeconds, .put, "/api/v1/statuses/{poll}", "status=x" + poll, accepts: .range(PollLimits.seconds),
            as: "bob"),
        .init(.choices, .post, "/api/v1/polls/{new}/votes", accepts: .range(0...1), as: "cleo"),
    ]

    static let filters: [IntegerParameterRow] = [
        .init(.expiresIn, .post, "/api/v2/filters", "title=x&context[]=home", accepts: .range(century)),
        .init(.expiresIn, .put, "/api/v2/filters/{filter}", "title=x", accepts: .range(century)),
        .init(.expiresIn, .post, "/api/v1/filters", "phrase=x&context[]=home", accepts: .range(century)),
        .init(.expiresIn, .put, "/api/v1/filters/{keyword}", "phrase=x", accepts: .range(century)),
        .init(
            .keywordID, .put, "/api/v2/filters/{filter}", "keywords_attributes[0][keyword]=x", accepts: .only("keyword")
        ),
        .init(.statusID, .post, "/api/v2/filters/{filter}/statuses", accepts: .only("reply")),
    ]

    /// The pages of lists.
    static let paging: [IntegerParameterRow] = [
        ("/api/v1/timelines/home", "bob"), ("/api/v1/timelines/list/{list}", "bob"),
        ("/api/v1/timelines/tag/tag", "ada"), ("/api/v1/lists/{list}/accounts", "bob"),
        ("/api/v1/followed_tags", "bob"), ("/api/v1/conversations", "ada"), ("/api/v1/scheduled_statuses", "ada"),
        ("/api/v1/notifications", "ada"), ("/api/v2/notifications", "ada"),
        ("/api/v2/notifications/{group}/accounts", "ada"), ("/api/v1/endorsements", "bob"),
        ("/api/v1/favourites", "bob"), ("/api/v1/bookmarks", "bob"), ("/api/v1/mutes", "ada"),
        ("/api/v1/blocks", "ada"),
    ].flatMap { path, viewer in
        [IntegerParameter.maxID, .sinceID, .minID].map { parameter in
            IntegerParameterRow(parameter, .get, path, accepts: .digits, as: viewer)
        }
    }

    static let people: [IntegerParameterRow] = [
        .init(.duration, .post, "/api/v1/accounts/{dora}/mute", accepts: .range(century)),
        .init(.accountIDs, .post, "/api/v1/lists/{list}/accounts", accepts: .only("dora"), as: "bob"),
        .init(.accountIDs, .delete, "/api/v1/lists/{emptyList}/accounts", accepts: .ids, as: "bob"),
        .init(.accountID, .get, "/api/v1/notifications", accepts: .digits),
        .init(.accountID, .get, "/api/v2/notifications", accepts: .digits),
        .init(.accountID, .get, "/api/v2/notifications/unread_count", accepts: .digits),
        .init(.accountID, .get, "/api/v1/admin/reports", accepts: .digits, as: "root"),
        .init(.accountID, .post, "/api/v1/reports", "comment=x", accepts: .only("bob")),
        .init(.targetAccountID, .get, "/api/v1/admin/reports", accepts: .digits, as: "root"),
        .init(.statusIDs, .post, "/api/v1/reports", "account_id={bob}", accepts: .only("reply")),
        // This server has no rules.
        .init(.ruleIDs, .post, "/api/v1/reports", "account_id={bob}", accepts: .nothing),
        .init(
            .reportID, .post, "/api/v1/admin/accounts/{ada}/action", "type=none", accepts: .only("report"), as: "root"),
        .init(.id, .post, "/api/v1/notifications/dismiss", accepts: .only("notificationBefore")),
    ]

    static let statuses: [IntegerParameterRow] = [
        .init(.mediaIDs, .post, "/api/v1/statuses", "status=x", accepts: .only("media")),
        .init(.inReplyToID, .post, "/api/v1/statuses", "status=x", accepts: .only("status")),
    ]

    /// A marker that is already at its new position is no conflict, whatever its version.
    static let markers: [IntegerParameterRow] = [
        .init(.homeLastReadID, .post, "/api/v1/markers", accepts: .digits),
        .init(.notificationsLastReadID, .post, "/api/v1/markers", accepts: .digits),
        .init(
            .homeVersion, .post, "/api/v1/markers", "home[last_read_id]=5", accepts: .range(0...Int64(Int32.max)),
            after: "home[last_read_id]=5"),
        .init(
            .notificationsVersion, .post, "/api/v1/markers", "notifications[last_read_id]=5",
            accepts: .range(0...Int64(Int32.max)), after: "notifications[last_read_id]=5"),
    ]

    /// `IntegerParameterRangeTests` checks the effect of the first two. Nothing has to be waited for here.
    static let clamped: [IntegerParameterRow] = [
        .init(.limit, .get, "/api/v1/timelines/public", accepts: .everything),
        .init(.offset, .get, "/api/v1/trends/tags", accepts: .everything),
        .init(.wait, .get, "/api/v1/changes?since=0", accepts: .everything),
    ]
}
