import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The pages on which members change their profile and their preferences.
@Suite(.hangLimit)
struct ProfileSettingsPageTests {
    private static func encoded(_ fields: [String: String]) -> WebBody { .form(HTMLForm.encoded(fields)) }

    @Test func profileIsThatOfTheAPI() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let fields = [
                "display_name": "Ada <L>", "note": "one\r\ntwo", "locked": "true", "bot": "false",
                "discoverable": "false", "indexable": "false", "hide_collections": "true", "noindex": "true",
                "fields_attributes[0][name]": "Site", "fields_attributes[0][value]": "https://ada.example",
                "fields_attributes[1][name]": "", "fields_attributes[1][value]": "",
            ]
            let saved = try await api.send(.post, "/settings/profile", as: ada, Self.encoded(fields))
            #expect(saved.status == 303 && saved.headers[.location] == "/settings/profile?saved")
            let account = try await api.must(.get, "/api/v1/accounts/verify_credentials", as: ada)
            #expect(account["display_name"]?.text == "Ada <L>" && account["source"]?["note"]?.text == "one\ntwo")
            #expect(account["locked"]?.flag == true && account["discoverable"]?.flag == false)
            #expect(account["fields"]?.list?.count == 1 && account["hide_collections"]?.flag == true)
            let page = try await api.send(.get, "/settings/profile?saved", as: ada).text
            for part in [
                "Saved.", "value=\"Ada &lt;L&gt;\"", ">\none\ntwo</textarea>", "value=\"https://ada.example\"",
                "name=\"fields_attributes[3][name]\"", "name=\"locked\" value=\"true\" checked",
            ] { #expect(page.contains(part), "\(part)") }
            #expect(!page.contains("name=\"bot\" value=\"true\" checked"))
        }
    }

    @Test func refusalsStandAtTheirFields() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let long = String(repeating: "n", count: 300)
            let rows: [(fields: [String: String], number: Int)] = [
                (["display_name": long], 0), (["note": String(repeating: long, count: 300)], 1),
                (["fields_attributes[0][name]": "ok", "fields_attributes[1][name]": long], 4),
                (["fields_attributes[0][name]": "", "fields_attributes[0][value]": "text"], 2),
            ]
            for (fields, number) in rows {
                let refused = try await api.send(
                    .post, "/settings/profile", as: ada,
                    Self.encoded(fields.merging(["bot": "true", "display_name": "kept"]) { old, _ in old }))
                #expect(refused.status == 422, "\(number)")
                #expect(refused.text.contains("id=\"field-0-\(number)-message\" role=\"alert\""), "\(number)")
                #expect(refused.text.contains("name=\"bot\" value=\"true\" checked"), "\(number)")
                #expect(number == 0 || refused.text.contains("value=\"kept\""), "\(number)")
            }
            let account = try await api.must(.get, "/api/v1/accounts/verify_credentials", as: ada)
            #expect(account["display_name"]?.text == "" && account["bot"]?.flag == false)
        }
    }

    @Test func picturesAreUploadedAndRemoved() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (name, seed) in [("avatar", 1), ("header", 2)] as [(String, UInt8)] {
                let path = "/settings/profile/" + name
                let generated = try await api.send(.get, "/\(name)s/ada").body
                let saved = try await api.send(.post, path, as: ada, .files([(name, SampleMedia.png(seed))]))
                #expect(saved.status == 303, "\(name): \(saved.summary)")
                #expect(try await api.send(.get, "/\(name)s/ada").body == Data(SampleMedia.png(seed)))
                let refused = try await api.send(.post, path, as: ada, .files([(name, Array("no image".utf8))]))
                #expect((400..<500).contains(refused.status) && refused.text.contains("role=\"alert\""), "\(name)")
                #expect(refused.text.contains("action=\"\(path)/remove\""), "\(name)")
                #expect(try await api.send(.post, path + "/remove", as: ada, .form("")).status == 303)
                #expect(try await api.send(.get, "/\(name)s/ada").body == generated)
            }
        }
    }

    @Test func preferencesDecideWhatTheFormForPostsOffers() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let fields = [
                "source[privacy]": "unlisted", "source[sensitive]": "true", "source[language]": "de",
                "time_zone": "Asia/Tokyo", "theme": "dark",
            ]
            let saved = try await api.send(.post, "/settings/preferences", as: ada, Self.encoded(fields))
            #expect(saved.status == 303 && saved.headers[.location] == "/settings/preferences?saved")
            let page = try await api.send(.get, "/settings/preferences", as: ada).text
            for part in ["value=\"unlisted\" selected", "value=\"Asia/Tokyo\" selected", "value=\"dark\" selected"] {
                #expect(page.contains(part), "\(part)")
            }
            #expect(page.contains("<html lang=\"en\" class=\"theme-dark\" "))
            let form = try await api.send(.get, "/compose", as: ada).text
            for part in [
                "value=\"unlisted\" selected", "value=\"de\" selected", "Date and time (Asia/Tokyo)", "theme-dark",
                "name=\"sensitive\" value=\"1\" checked",
            ] { #expect(form.contains(part), "\(part)") }
            #expect(try await !api.send(.get, "/").text.contains("theme-dark"))
            let reset = ["source[privacy]": "public", "source[language]": "", "time_zone": "", "theme": ""]
            #expect(try await api.send(.post, "/settings/preferences", as: ada, Self.encoded(reset)).status == 303)
            let plain = try await api.send(.get, "/compose", as: ada).text
            #expect(plain.contains("Date and time (UTC)") && !plain.contains("theme-dark"))
        }
    }

    @Test func unknownPreferencesAreRefusedAtTheirFields() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let rows = [
                ("source[privacy]", "nobody", 0), ("source[privacy]", "direct", 0), ("source[language]", "<x>", 2),
                ("time_zone", "Mars/Base", 3), ("time_zone", "CET", 3), ("theme", "blue", 4),
            ]
            for (name, value, number) in rows {
                let body = Self.encoded(["source[privacy]": "public"].merging([name: value]) { $1 })
                let refused = try await api.send(.post, "/settings/preferences", as: ada, body)
                #expect(refused.status == 422, "\(name) \(value)")
                #expect(refused.text.contains("id=\"field-0-\(number)-message\""), "\(name) \(value)")
            }
        }
    }

    /// A time is that of the member's clock, also where summer time begins in between.
    @Test func timesAreThoseOfTheMembersZone() async throws {
        var account = Account(id: 1, username: "ada", createdAt: 0)
        #expect(PageDate.full(1_701_412_740_000, in: PageTimeZone(of: account)) == "1 Dec 2023, 06:39 UTC")
        let rows: [(String, Int64, String, String)] = [
            ("Europe/Berlin", 1_701_412_740_000, "1 Dec 2023, 07:39 UTC+1", "2023-12-01T07:39"),
            ("Europe/Berlin", 1_688_169_600_000, "1 Jul 2023, 02:00 UTC+2", "2023-07-01T02:00"),
            ("Asia/Kathmandu", 1_701_412_740_000, "1 Dec 2023, 12:24 UTC+5:45", "2023-12-01T12:24"),
            ("America/New_York", 1_701_412_740_000, "1 Dec 2023, 01:39 UTC−5", "2023-12-01T01:39"),
        ]
        for (name, time, text, field) in rows {
            account.timeZone = name
            let zone = PageTimeZone(of: account)
            #expect(PageDate.full(time, in: zone) == text)
            #expect(PageDate.field(time, in: zone) == field)
            var input = RequestParameters()
            try input.append("scheduled_at", field)
            #expect(try input.scheduledAt(in: zone) == time, "\(name)")
        }
    }
}
