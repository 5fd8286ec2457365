import FeedCore
import FeedStore
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@Suite(.hangLimit)
struct TrendAPITests {
    @Test func trendsAndSuggestionsAreListed() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            let status = try await api.post("#sun #rain", by: ada)
            _ = try await api.post("#sun #rain", by: bob)
            _ = try await api.post("#sun", by: cleo)
            for person in [bob, cleo] {
                try await api.must(.post, "/api/v1/statuses/\(status)/favourite", as: person)
            }
            #expect(try await api.send(.get, "/api/v1/trends/tags").json?.list == [])
            try await api.test.store.trends.refresh()
            for (query, expected) in [("", ["sun", "rain"]), ("?limit=1", ["sun"]), ("?offset=1", ["rain"])] {
                for path in ["/api/v1/trends", "/api/v1/trends/tags"] {
                    let found = try await api.send(.get, path + query).json
                    #expect(found?.list?.map { $0["name"]?.text } == expected, "\(path)\(query)")
                }
            }
            let statuses = try await api.send(.get, "/api/v1/trends/statuses", as: bob).json
            #expect(statuses?.ids == [status] && statuses?[0]?["favourited"]?.flag == true)
            #expect(try await api.send(.get, "/api/v1/trends/statuses?offset=1").json?.list == [])
            #expect(try await api.send(.get, "/api/v1/trends/links").json?.list == [])
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            try await api.must(.post, "/api/v1/accounts/\(cleo.id)/follow", as: bob)
            let suggested = try await api.send(.get, "/api/v2/suggestions", as: ada).json
            #expect(suggested?.list?.map { $0["account"]?["username"]?.text } == ["cleo"])
            #expect(suggested?[0]?["source"]?.text == "past_interactions")
            #expect(try await api.send(.get, "/api/v1/suggestions", as: ada).json?.ids == [cleo.id])
            #expect(try await api.send(.get, "/api/v1/directory?limit=2").json?.ids == [cleo.id, bob.id])
            #expect(
                try await api.send(.get, "/api/v1/directory?order=new&local=true&offset=1").json?.ids == [
                    bob.id, ada.id,
                ])
        }
    }
}
