import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@Suite(.hangLimit)
struct ClassicTests {
    /// Any additional key or null crashes the 2014 clients.
    @Test func listHasExactlyTheKnownKeys() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        for index in 0..<60 { try await test.store.post("post \(index) \"quoted\" 中文", by: ada) }
        let client = TestClient(test.services)
        let body = ByteBuffer(string: "userName=ada&password=secret")
        try await client.execute(uri: "/ViewStatus.aspx", method: .post, body: body) { response in
            let object = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
            let root = try #require(object as? [String: Any])
            #expect(Set(root.keys) == ["statuses"])
            let statuses = try #require(root["statuses"] as? [[String: Any]])
            #expect(statuses.count == 50)
            for status in statuses { try Self.check(status) }
            #expect(statuses.first?["text"] as? String == "post 59 \"quoted\" 中文")
        }
    }

    private static func check(_ status: [String: Any]) throws {
        #expect(Set(status.keys) == ["Id", "profileImageUrl", "mbtype", "createdAt", "source", "text", "user"])
        let user = try #require(status["user"] as? [String: Any])
        #expect(Set(user.keys) == ["Id", "name", "city"])
        #expect(status["Id"] is NSNumber && user["Id"] is NSNumber)
        #expect((status["createdAt"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil)
        for key in ["profileImageUrl", "mbtype"] {
            #expect((status[key] as? String)?.hasPrefix("http://feed.test/") == true)
        }
        #expect(status["source"] is String && user["name"] as? String == "ada" && user["city"] as? String == "")
    }

    /// A mark forms one character with the colon before it.
    @Test func passwordOfBasicAuthenticationMayBeginWithAMark() async throws {
        try await WebAPI.run { api in
            _ = try await api.test.account("ada", password: "\u{301}secret")
            for (password, status) in [("\u{301}secret", 200), ("secret", 401)] {
                let basic = "Basic " + Data("ada:\(password)".utf8).base64EncodedString()
                let body = WebBody.files([("file", Array("hello".utf8))])
                let response = try await api.send(.post, Paths.classicUpload, body, headers: ["Authorization": basic])
                #expect(response.status == status, "\(response.summary)")
            }
        }
    }

    @Test func listContainsOnlyVisibleStatuses() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let (bob, _) = try await test.account("bob")
        try await test.store.importLines(#"{"kind":"follow","from":"bob","to":"ada"}"#)
        let (eve, _) = try await test.account("eve")
        try await test.store.post("ada private", by: ada, .followers)
        try await test.store.post("ada unlisted", by: ada, .unlisted)
        try await test.store.post("@eve ada direct", by: ada, .direct)
        try await test.store.post("bob private", by: bob, .followers)
        let client = TestClient(test.services)
        let expected = [
            "ada": ["@eve ada direct", "ada unlisted", "ada private"],
            "bob": ["bob private", "ada unlisted", "ada private"],
            "eve": ["@eve ada direct", "ada unlisted"],
        ]
        for (name, texts) in expected {
            try await client.execute(uri: "/ViewStatus.aspx?userName=\(name)&password=secret", method: .get) {
                response in
                let object =
                    try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any]
                #expect((object?["statuses"] as? [[String: Any]])?.map { $0["text"] as? String } == texts)
            }
        }
        _ = eve
    }

    /// These clients cannot fold a text.
    @Test func contentWarningReplacesTheText() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        var draft = StatusDraft(text: "the end of the film")
        (draft.spoilerText, draft.visibility) = ("Film", .public)
        let open = try await test.services.posting.post(draft, by: ada).id
        draft.visibility = .followers
        let hidden = try await test.services.posting.post(draft, by: ada).id
        let client = TestClient(test.services)
        try await client.execute(uri: "/ViewStatus.aspx?userName=ada&password=secret", method: .get) { response in
            let text = String(buffer: response.body)
            #expect(text.contains(#""text":"Content warning: Film""#) && !text.contains("end of the film"))
            #expect(text.contains(#"\n"#) && text.contains("/@ada/\(open)") && !text.contains("/@ada/\(hidden)"))
        }
    }

    @Test func wrongLoginsAreThrottled() async throws {
        let test = try TestServices()
        _ = try await test.account("ada")
        let client = TestClient(test.services)
        var codes: [Int] = []
        for _ in 0..<20 {
            let body = ByteBuffer(string: "userName=ada&password=wrong")
            try await client.execute(uri: "/ViewStatus.aspx", method: .post, body: body) { response in
                codes.append(response.status.code)
                if response.status == .tooManyRequests { #expect(response.headers[.retryAfter] == "300") }
            }
        }
        #expect(codes == [Int](repeating: 401, count: 10) + [Int](repeating: 429, count: 10))
    }
}
