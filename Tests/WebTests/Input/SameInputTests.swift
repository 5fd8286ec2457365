import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Different encodings of the same input have the same effect, and text is stored byte for byte.
@Suite(.hangLimit)
struct SameInputTests {
    static let truths = ["true", "True", "TRUE", "1", "on", "t"]
    static let falsehoods = ["false", "False", "FALSE", "0", "off", "f", ""]

    @Test func booleansAreParsedInForms() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (words, expected) in [(Self.truths, true), (Self.falsehoods, false)] {
                for word in words {
                    for body in [
                        WebBody.form("status=x&sensitive=\(word)"),
                        .multipart([("status", "x"), ("sensitive", word)]),
                        .json(#"{"status":"x","sensitive":"\#(word)"}"#),
                    ] {
                        let response = try await api.send(.post, "/api/v1/statuses", as: ada, body)
                        #expect(response.json?["sensitive"]?.flag == expected, "\(word) in \(body.type)")
                    }
                }
            }
        }
    }

    @Test(arguments: [("true", true), ("1", true), ("false", false), ("0", false), ("null", false)])
    func booleansAreParsedInJSON(row: (word: String, expected: Bool)) async throws {
        try await WebAPI.run { api in
            let body = WebBody.json(#"{"status":"x","sensitive":\#(row.word)}"#)
            let response = try await api.send(.post, "/api/v1/statuses", as: try await api.person("ada"), body)
            #expect(response.json?["sensitive"]?.flag == row.expected)
        }
    }

    @Test(arguments: truths)
    func booleansAreParsedInQueries(word: String) async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let plain = try await api.post("plain", by: ada)
            _ = try await api.post("answer", by: ada, replyTo: try await api.post("bob's", by: bob))
            let found = try await api.send(.get, "/api/v1/accounts/\(ada.id)/statuses?exclude_replies=\(word)")
            #expect(found.json?.ids == [plain])
        }
    }

    /// The three ways to send an array.
    @Test(arguments: ["id[]={a}&id[]={b}", "id%5B%5D={a}&id%5B%5D={b}", "id={a}&id={b}"])
    func arraysAreParsedInQueries(query: String) async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let filled = query.replacing("{a}", with: ada.id).replacing("{b}", with: bob.id)
            let found = try await api.send(.get, "/api/v1/accounts/relationships?" + filled, as: ada)
            #expect(found.json?.ids == [ada.id, bob.id], "\(found.summary)")
        }
    }

    /// Joiners, variation selectors, bidirectional controls, decomposed accents, a byte order mark in the middle.
    static let text =
        "👩‍👩‍👧‍👦 ❤️ می‌خواهم \u{202E}abc\u{202C} \u{2066}x\u{2069} "
        + "\u{200F}א e\u{301} \u{1F1E9}\u{1F1EA} a\u{FEFF}b \u{200B}."

    @Test func textIsStoredByteForByte() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let encoded = try #require(Self.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            for body in [
                WebBody.form("status=\(encoded)&spoiler_text=\(encoded)"),
                .json("{\"status\":\"\(Self.text)\",\"spoiler_text\":\"\(Self.text)\"}"),
                .multipart([("status", Self.text), ("spoiler_text", Self.text)]),
            ] {
                let posted = try await api.must(.post, "/api/v1/statuses", as: ada, body)
                let id = try #require(posted["id"]?.text)
                try await Self.expectText(of: id, api, ada, "\(body.type)")
            }
        }
    }

    @Test(arguments: ["application/x-www-form-urlencoded", "text/plain"])
    func jsonOfAnotherTypeIsNamed(type: String) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let body = WebBody(type: type, bytes: Data(" {\"status\":\"a&b=c\"}".utf8))
            let refused = try await api.send(.post, "/api/v1/statuses", as: ada, body)
            #expect(refused.status == 400 && refused.text.contains("application/json"), "\(refused.summary)")
            // Only a whole object is JSON.
            #expect(try await api.send(.post, "/api/v1/statuses", as: ada, .form("{=&status=x")).status == 200)
        }
    }

    @Test func refusalGivesTheReason() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for action in ["follow", "mute"] {
                let refused = try await api.send(.post, "/api/v1/accounts/\(ada.id)/\(action)", as: ada)
                #expect(refused.status == 403 && refused.json?["error"]?.text?.contains("your own account") == true)
            }
        }
    }

    private static func expectText(of id: String, _ api: WebAPI, _ ada: Member, _ name: String) async throws {
        let bytes = Array(text.utf8)
        let shown = try await api.must(.get, "/api/v1/statuses/\(id)", as: ada)
        #expect(shown["content"]?.text.map { Array($0.utf8) } == Array("<p>\(text)</p>".utf8), "content, \(name)")
        #expect(shown["spoiler_text"]?.text.map { Array($0.utf8) } == bytes, "spoiler_text, \(name)")
        let source = try await api.must(.get, "/api/v1/statuses/\(id)/source", as: ada)
        #expect(source["text"]?.text.map { Array($0.utf8) } == bytes, "source, \(name)")
        #expect(source["spoiler_text"]?.text.map { Array($0.utf8) } == bytes, "source of the warning, \(name)")
        let deleted = try await api.must(.delete, "/api/v1/statuses/\(id)", as: ada)
        #expect(deleted["text"]?.text.map { Array($0.utf8) } == bytes, "deleted, \(name)")
    }

    @Test func concurrentRequestsWithOneKeyCreateOneStatus() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for index in 0..<10 {
                    group.addTask {
                        let body = index.isMultiple(of: 2) ? WebBody.form("status=once") : .json(#"{"status":"once"}"#)
                        return try await api.send(
                            .post, "/api/v1/statuses", as: ada, body, headers: ["Idempotency-Key": "k"]
                        ).json?["id"]?.text
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ids.count == 10 && Set(ids).count == 1 && ids.first != .some(nil), "\(ids)")
            // The key is ada's: bob's equal key is a different one.
            _ = try await api.send(
                .post, "/api/v1/statuses", as: bob, .form("status=once"), headers: ["Idempotency-Key": "k"])
            #expect(try await api.test.store.accounts.counts().statuses == 2)
        }
    }

    /// A rejected status does not consume its key.
    @Test func rejectedStatusDoesNotConsumeItsKey() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let key = ["Idempotency-Key": "k"]
            let refused = try await api.send(.post, "/api/v1/statuses", as: ada, .form("status="), headers: key)
            #expect(refused.status == 422)
            let posted = try await api.send(.post, "/api/v1/statuses", as: ada, .form("status=x"), headers: key)
            #expect(posted.status == 200, "\(posted.summary)")
        }
    }
}
