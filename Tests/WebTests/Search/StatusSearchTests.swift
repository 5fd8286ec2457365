import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Searches for statuses through the API.
@Suite(.hangLimit)
struct StatusSearchTests {
    /// The results for `dan`, who follows nobody, in any order.
    static let queries: [(String, String)] = [
        // Words.
        ("fox", "dog careful unlisted"), ("FOX", "dog careful unlisted"), ("foxes", "quick garden reply"),
        ("lazy", "dog quick garden"), ("lazy fox", "dog"), ("fox lazy", "dog"), ("fo", ""), ("zebra", ""),
        ("naive", "panic"), ("naïve", "panic"), ("NAÏVE café", "panic"), ("don't", "panic"), ("don’t", "panic"),
        ("i'll be", "back"), ("un-american", "nature"), ("e-mail", "art"), ("2024", "art mixed"), ("10", "art"),
        ("third", "lines"), ("line third", "lines"),
        // Prefixes.
        ("fox*", "dog quick garden reply careful unlisted"), ("hort*", "houses"), ("fo*", ""), ("dampf*", ""),
        ("donau*", "danube"), ("прог*", "russian"), ("street*", "art"),
        // Phrases.
        ("\"lazy dog\"", "dog"), ("\"dog lazy\"", ""), ("“are lazy”", "quick"), ("\"line second\"", "lines"),
        ("\"nature never hurries\"", "nature"), ("\"quick brown\" lazy", "dog"), ("\"fox\"", "dog careful unlisted"),
        // Exclusion.
        ("fox -lazy", "careful unlisted"), ("lazy -\"lazy dog\"", "quick garden"), ("foxes -read*", "quick reply"),
        ("fox -is:sensitive", "dog unlisted"), ("fox -from:cleo", "dog"), ("fox - lazy", "dog"),
        // Code.
        ("foo.bar", "swift"), ("0x1f", "swift"), ("fix", "swift git"), ("fix_me", "swift"), ("commit --amend", ""),
        ("SELECT * FROM", "sql"), ("42", "sql"), ("c++", "plus"), ("print(\"hello", "hello"),
        ("\"hello world\"", "hello"),
        ("script", "html"), ("amp", "html"),
        // Addresses and mentions.
        ("example.org", "link"), ("https://example.org/swift?q=120&x=%E4%B8%AD", "link"),
        ("swift", "link school mixed"),
        ("me@example.com", "mail"), ("example", "link mail"), ("@ada", "mention"),
        // Hashtags.
        ("#café", "nfc nfd panic"), ("#cafe\u{301}", "nfc nfd panic"), ("#bikes", "nfc"), ("#müllerstraße", "street"),
        ("#öl", "street"), ("ol", "street"), ("#日本語", "tag"), ("タグ", "tag"), ("score", "score"),
        ("under_score_tag", "score"),
        // Emoji stand between words.
        ("party tonight", "party"), ("\"party tonight\"", "party"), ("🎉party🎉", "party"), ("family", "family"),
        ("pride", "family"), ("heart", "keycap"), ("1", "keycap html"),
        // German, Spanish, Italian, Russian.
        ("größe", "size"), ("GROSSE", ""), ("große", "size"), ("strasse", ""), ("straße", "size"), ("koln", "cologne"),
        ("grüße", "cologne"), ("heißt", "goethe"), ("\"heißt lernen\"", "goethe"), ("nino", "child"),
        ("mañana", "child"), ("que paso", "child"), ("ocasion", "sausage"), ("pinguino ciguena", "penguin"),
        ("perche", "last"), ("l'ultima", "last"), ("citta", "city"), ("русские", "russian"),
        ("КЛАВИАТУРЫ", "russian"), ("ёлка", "tree"), ("мир hello", "moscow"), ("привет", "moscow"),
        // Scripts without spaces.
        ("谷風", "wind"), ("谷風以", ""), ("北京", "square school"), ("北京大学", "school"), ("京", "square school tokyo kyoto"),
        ("京都", "tokyo kyoto"), ("\"東京都\"", "tokyo"), ("門", ""), ("门", "square"), ("天", "square weather"),
        ("学习swift", "school"), ("swift语言", "school"), ("-北京 swift", "link mixed"), ("カタカナ", "narrow"),
        ("abc", "narrow"),
        ("서울", "seoul"), ("만나요", "seoul"), ("ไทย", "thai"), ("ខ្មែរ", "khmer"), ("iphone", "mixed"), ("書く", "mixed"),
        // Other scripts.
        ("بالعالم", "arabic"), ("שלום", "hebrew"), ("दुनिया", "hindi"), ("δρομος", "greek"),
        // What is not the text.
        ("butler", "warned"), ("film", "warned"), ("\"film the\"", ""), ("windsurfing", "poll"),
        ("kites sport", "poll"),
        // Operators.
        ("from:ada lazy", "dog quick"), ("from:@ADA lazy", "dog quick"), ("from:@ada@feed.test lazy", "dog quick"),
        ("from:ada@other.test lazy", ""), ("from:nobody lazy", ""), ("-from:nobody lazy", "dog quick garden"),
        ("from:me", ""), ("has:poll", "poll"), ("has:link", "link"), ("has:media", ""), ("is:reply", "reply"),
        ("is:sensitive fox", "careful"), ("language:ja", "tokyo kyoto narrow"),
        ("language:EN lazy", "dog quick garden"),
        ("language:en-gb", "garden"), ("language:de -from:bob", "size goethe"), ("fox before:2000-01-01", ""),
        ("fox after:2000-01-01", "dog careful unlisted"), ("foo:bar", "swift"), ("is:nothing", ""), ("has:", ""),
    ]

    /// Recent statuses, and those that have been added to the full-text index.
    @Test(arguments: [false, true]) func queriesFindTheirStatuses(isMerged: Bool) async throws {
        try await WebAPI.run { api in
            let corpus = try await SearchCorpus(api)
            if isMerged { try await SearchIndexing(api.test.store.database).merge() }
            let dan = try #require(corpus.people["dan"])
            for (query, keys) in Self.queries {
                let found = try await Self.found(query, api, dan)
                #expect(corpus.keys(found["statuses"]) == SearchCorpus.newestFirst(keys), "\(query)")
                #expect(found["accounts"]?.list == [] && found["hashtags"]?.list == [])
            }
            // Anonymous visitors find the same; the author and followers also find what is private.
            for (query, keys) in Self.queries.prefix(6) {
                let found = try await Self.found(query, api, nil)
                #expect(corpus.keys(found["statuses"]) == SearchCorpus.newestFirst(keys), "\(query)")
            }
            for (name, query, keys) in [
                ("ada", "fox from:me", "dog private direct"), ("ada", "fox -from:me", "careful unlisted"),
                ("bob", "fox from:ada", "dog direct"), ("cleo", "fox from:ada", "dog"),
            ] {
                let found = try await Self.found(query, api, corpus.people[name])
                #expect(corpus.keys(found["statuses"]) == SearchCorpus.newestFirst(keys), "\(name): \(query)")
            }
        }
    }

    private static func found(
        _ query: String, _ api: WebAPI, _ person: Member?, _ more: String = ""
    ) async throws -> JSONValue {
        let response = try await search(query, api, person, more)
        try #require(response.status == 200, "\(query): \(response.summary)")
        #expect(response.headers[try #require(HTTPField.Name("Search-Incomplete"))] == nil)
        return try #require(response.json)
    }

    private static func search(
        _ query: String, _ api: WebAPI, _ person: Member?, _ more: String = ""
    ) async throws -> WebResponse {
        let encoded = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await api.send(
            .get, "/api/v2/search?type=statuses&limit=40&q=\(encoded)" + more, as: person)
    }

    @Test func parametersNarrowTheSearch() async throws {
        try await WebAPI.run { api in
            let corpus = try await SearchCorpus(api)
            let (ada, dan) = (try #require(corpus.people["ada"]), try #require(corpus.people["dan"]))
            let limit = try corpus.id("careful")
            for (more, keys) in [
                ("&max_id=\(limit)", "dog"), ("&min_id=\(limit)", "unlisted"), ("&since_id=\(limit)", "unlisted"),
                ("&account_id=\(ada.id)", "dog"), ("&account_id=1", ""), ("&offset=1", "dog careful"),
                ("&offset=3", ""),
                ("&offset=10000", ""), ("&following=true", ""), ("&limit=1", "unlisted"),
                ("&limit=1&offset=1", "careful"),
            ] {
                let found = try await Self.found("fox", api, dan, more)
                #expect(corpus.keys(found["statuses"]) == SearchCorpus.newestFirst(keys), "\(more)")
            }
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: dan)
            let followed = try await Self.found("fox", api, dan, "&following=true")
            #expect(corpus.keys(followed["statuses"]) == ["private", "dog"])
            let all = try await api.must(.get, "/api/v2/search?q=fox", as: dan)
            #expect(corpus.keys(all["statuses"]) == ["private", "unlisted", "careful", "dog"])
        }
    }

    /// Each link leads to the next page, also from a page that was requested by its offset.
    @Test(arguments: ["", "&offset=1"]) func linksLeadThroughAllStatuses(start: String) async throws {
        try await WebAPI.run { api in
            let found = try await Self.walk(from: start, api, try await SearchCorpus(api))
            let all = SearchCorpus.newestFirst("dog quick garden reply careful unlisted")
            #expect(found == (start.isEmpty ? all : Array(all.dropFirst())))
        }
    }

    @Test(arguments: ["min_id", "since_id"]) func linksStayAboveTheLowerBound(name: String) async throws {
        try await WebAPI.run { api in
            let corpus = try await SearchCorpus(api)
            let found = try await Self.walk(from: "&\(name)=\(try corpus.id("garden"))", api, corpus)
            #expect(found == ["unlisted", "careful", "reply"])
        }
    }

    /// The keys of the statuses on a page and on those to which its links lead.
    private static func walk(from start: String, _ api: WebAPI, _ corpus: SearchCorpus) async throws -> [String] {
        var next: String? = "/api/v2/search?q=fox*&type=statuses&limit=2" + start
        var found: [String] = []
        while let path = next {
            let response = try await api.send(.get, path, as: corpus.people["dan"])
            found += corpus.keys(response.json?["statuses"])
            let header = response.headers[try #require(HTTPField.Name("Link"))]
            let link = header?.firstMatch(of: /<http:\/\/feed.test([^>]*)>/)
            next = link.map { String($0.1) }
        }
        return found
    }

    @Test func queryWithNothingToSearchIsRefused() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (query, status) in [
                ("🎉", 422), ("!!!", 422), ("\"\"", 422), ("-", 422), ("* *", 422), ("_", 422), ("-x", 200),
                ("from:me", 200),
            ] {
                let response = try await Self.search(query, api, ada)
                #expect(response.status == status, "\(query): \(response.summary)")
                if status == 422 { #expect(response.text.contains("from:me"), "\(response.summary)") }
            }
            // A name may contain symbols.
            for (query, status) in [("%F0%9F%8E%89", 200), ("_", 200), ("!!!", 422), ("%22%22", 422)] {
                #expect(try await api.send(.get, "/api/v2/search?q=\(query)", as: ada).status == status, "\(query)")
            }
        }
    }

    /// No text is an error of the server.
    @Test func anyQueryIsAnswered() async throws {
        try await WebAPI.run { api in
            let corpus = try await SearchCorpus(api)
            var random = SplitMix64(seed: Soak.seed)
            let alphabet = Array("ab fox:-*\"“#@_%\\'();東京ไ\u{301}\u{200D}🎉".unicodeScalars)
            for number in 0..<Soak.rounds(40, soaking: 3000) {
                var text = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 1...30, using: &random) {
                    text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
                }
                let prefixes = ["", "has:image ", "-from:ada ", "before:2026-01-01 ", "NEAR(", "fox AND "]
                let query = prefixes[number % prefixes.count] + String(text)
                let response = try await Self.search(query, api, corpus.people["dan"])
                let isBlank = query.unicodeScalars.allSatisfy { $0 == " " }
                #expect(
                    isBlank ? response.status == 400 : [200, 422].contains(response.status),
                    "\(query.debugDescription): \(response.summary)")
            }
        }
    }

    /// Only followers find the statuses of accounts that are not indexable.
    @Test func statusesOfOthersAreNotSearched() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            let id = try await api.post("a rare word", by: ada)
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: bob)
            func setIndexable(_ value: Bool) async throws {
                let path = "/api/v1/accounts/update_credentials"
                let account = try await api.must(.patch, path, as: ada, .form("indexable=\(value)"))
                #expect(account["indexable"]?.flag == value)
            }
            func expect(_ finders: [Member?], _ others: [Member?]) async throws {
                for (people, ids) in [(finders, [id]), (others, [])] {
                    for person in people { #expect(try await Self.found("rare", api, person)["statuses"]?.ids == ids) }
                }
            }
            try await expect([ada, bob, cleo, nil], [])
            try await setIndexable(false)
            try await expect([ada, bob], [cleo, nil])
            try await setIndexable(true)
            try await expect([ada, bob, cleo, nil], [])
            try await api.must(.put, "/api/v1/statuses/\(id)", as: ada, .form("status=another+word"))
            try await expect([], [ada, bob, cleo, nil])
            #expect(try await Self.found("another", api, nil)["statuses"]?.ids == [id])
            try await api.must(.delete, "/api/v1/statuses/\(id)", as: ada)
            #expect(try await Self.found("another", api, ada)["statuses"]?.ids == [])
        }
    }
}
