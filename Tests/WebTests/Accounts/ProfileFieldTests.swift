import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// The requests with which applications clear the profile fields, or keep them.
@Suite(.hangLimit)
struct ProfileFieldTests {
    static let rows: [(body: WebBody, areLeft: Bool)] = [
        (.json(#"{"fields_attributes":[]}"#), false), (.json(#"{"fields_attributes":{}}"#), false),
        (.json(#"{"fields_attributes":[{"name":"","value":""}]}"#), false),
        (.json(#"{"fields_attributes":{"0":{"name":"","value":""}}}"#), false),
        (.form("fields_attributes="), false), (.form("fields_attributes[]="), false),
        (.form("fields_attributes%5B%5D"), false),
        (.form("fields_attributes[0][name]=&fields_attributes[0][value]="), false),
        (.multipart([("fields_attributes", "")]), false), (.multipart([("fields_attributes[]", "")]), false),
        (.json("{}"), true), (.json(#"{"fields_attributes":null}"#), true), (.json(#"{"note":"x","other":[]}"#), true),
        (.form("note=x"), true),
    ]

    @Test func emptyFieldsClearTheProfileAndMissingOnesKeepIt() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let path = "/api/v1/accounts/update_credentials"
            for row in Self.rows {
                let set = WebBody.form("fields_attributes[0][name]=a&fields_attributes[0][value]=b")
                let before = try await api.must(.patch, path, as: ada, set)
                #expect(before["fields"]?.list?.count == 1)
                let after = try await api.must(.patch, path, as: ada, row.body)
                let name = String(decoding: row.body.bytes, as: UTF8.self)
                #expect(after["fields"]?.list?.isEmpty == !row.areLeft, "\(name)")
                #expect(after["display_name"]?.text == before["display_name"]?.text, "\(name)")
            }
        }
    }
}
