import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@Suite(.hangLimit)
struct ProfileTests {
    static let path = "/api/v1/accounts/update_credentials"

    static let bodies: [(type: String, body: String)] = [
        (
            "application/x-www-form-urlencoded",
            "display_name=Ada+L.&note=hi+@bob&locked=True&bot=1&discoverable=false&source[privacy]=private"
                + "&source%5Bsensitive%5D=true&source[language]=de&fields_attributes[1][name]=B&fields_attributes[1][value]=2"
                + "&fields_attributes[0][name]=A&fields_attributes[0][value]=https://a.example"
        ),
        (
            "application/json",
            #"{"display_name":"Ada L.","note":"hi @bob","locked":true,"bot":true,"discoverable":false,"source":"#
                + #"{"privacy":"private","sensitive":true,"language":"de"},"fields_attributes":"#
                + #"[{"name":"A","value":"https://a.example"},{"name":"B","value":2}]}"#
        ),
        (
            "application/json",
            #"{"display_name":"Ada L.","note":"hi @bob","locked":true,"bot":true,"discoverable":false,"source":"#
                + #"{"privacy":"private","sensitive":true,"language":"de"},"fields_attributes":"#
                + #"{"0":{"name":"A","value":"https://a.example"},"1":{"name":"B","value":"2"}}}"#
        ),
        (
            "multipart/form-data; boundary=B",
            multipart([
                "display_name": "Ada L.", "note": "hi @bob", "locked": "true", "bot": "true", "discoverable": "0",
                "source[privacy]": "private", "source[sensitive]": "on", "source[language]": "de",
                "fields_attributes[0][name]": "A", "fields_attributes[0][value]": "https://a.example",
                "fields_attributes[1][name]": "B", "fields_attributes[1][value]": "2",
            ])
        ),
    ]

    private static func multipart(_ values: [String: String]) -> String {
        values.map { "--B\r\nContent-Disposition: form-data; name=\"\($0.key)\"\r\n\r\n\($0.value)\r\n" }.joined()
            + "--B--\r\n"
    }

    @Test func profileIsEditedInAnyEncoding() async throws {
        for (type, body) in Self.bodies {
            let fixture = try await SocialFixture("ada", "bob")
            try await fixture.run { client in
                let response = try await client.send("ada", .patch, Self.path, body, type: type)
                #expect(response.status == 200, "\(response.text)")
                for part in [
                    #""display_name":"Ada L.""#, #""locked":true,"bot":true,"discoverable":false"#,
                    #"href=\"http://feed.test/@bob\""#,
                    #""privacy":"private","sensitive":true,"language":"de","note":"hi @bob""#,
                    #""fields":[{"name":"A","value":"https://a.example","verified_at":null},{"name":"B","value":"2","#,
                    #""fields":[{"name":"A","value":"<a href=\"https://a.example\""#,
                ] { #expect(response.text.contains(part), "\(type): \(part)\n\(response.text)") }
                let own = try await client.send("ada", .get, "/api/v1/accounts/verify_credentials")
                #expect(own.text == response.text)
                let wishes = try await client.send("ada", .get, "/api/v1/preferences").text
                #expect(
                    wishes.hasPrefix(
                        #"{"posting:default:visibility":"private","posting:default:sensitive":true,"#
                            + #""posting:default:language":"de","reading:expand:media":"default""#))
            }
        }
    }

    /// The account that the token's cache holds may have old counts.
    @Test func ownCountsAreCurrent() async throws {
        let fixture = try await SocialFixture("ada", "bob")
        try await fixture.run { client in
            for number in 0..<2 {
                let own = try await client.send("ada", .get, "/api/v1/accounts/verify_credentials").text
                #expect(own.contains("\"statuses_count\":\(number)") && own.contains("\"followers_count\":\(number)"))
                let posted = try await client.send("ada", .post, "/api/v1/statuses", "status=hello")
                #expect(posted.status == 200)
                _ = try await client.relate("bob", "follow", "ada")
            }
        }
    }

    static let refused: [(type: String, body: String, status: Int)] = [
        ("application/x-www-form-urlencoded", "display_name=" + String(repeating: "x", count: 101), 422),
        ("application/x-www-form-urlencoded", "display_name=a" + String(repeating: "%CC%81", count: 10_000), 422),
        ("application/x-www-form-urlencoded", "note=" + String(repeating: "x", count: 10_001), 422),
        ("application/x-www-form-urlencoded", "source[privacy]=direct", 422),
        ("application/x-www-form-urlencoded", "source[privacy]=secret", 422),
        ("application/x-www-form-urlencoded", "source[language]=d%22e", 422),
        ("application/x-www-form-urlencoded", "fields_attributes[0][value]=x", 422),
        (
            "application/x-www-form-urlencoded",
            (0..<5).map { "fields_attributes[\($0)][name]=x" }.joined(separator: "&"), 422
        ),
        ("application/x-www-form-urlencoded", "fields_attributes[0][name]=" + String(repeating: "x", count: 256), 422),
        ("application/x-www-form-urlencoded", "note=x&avatar=data:image/png;base64,AAAA", 422),
        (
            "multipart/form-data; boundary=B",
            "--B\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"a.png\"\r\n\r\nPNG\r\n--B--\r\n", 422
        ),
        ("application/json", #"{"display_name":["x","y"]}"#, 422), ("application/json", #"{"note":{"text":"x"}}"#, 422),
        ("application/json", String(repeating: "{\"a\":", count: 10_000), 400),
        ("application/json", "[]", 400),
    ]

    @Test func invalidProfileIsRejectedAndNotStored() async throws {
        let fixture = try await SocialFixture("ada")
        let start = try await fixture.test.store.changes.position().sequence
        try await fixture.run { client in
            for (type, body, status) in Self.refused {
                let response = try await client.send("ada", .patch, Self.path, body, type: type)
                #expect(
                    response.status == status && response.text.hasPrefix("{\"error\""),
                    "\(body.prefix(60)): \(response.text)"
                )
            }
            #expect(try await client.send(nil, .patch, Self.path, "bot=1").status == 401)
            #expect(try await client.send("ada", .patch, Self.path).status == 200)
        }
        #expect(try await fixture.test.store.kinds(after: start).isEmpty)
    }
}
