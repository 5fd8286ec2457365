import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes

/// Accounts and statuses for requests to every endpoint.
struct EndpointWorld: Sendable {
    var people: [String: Member] = [:]
    /// The ids for the names in the paths of ``APIEndpoint``.
    var ids: [String: String] = [:]

    /// ada's status has a reply, a boost, a favourite, a bookmark and an edit; ada and bob have requested to follow
    /// cleo; bob has a list with ada and follows a hashtag; he has reported ada's status; root is an administrator, and fred is suspended.
    static func make(_ api: WebAPI) async throws -> EndpointWorld {
        var world = EndpointWorld()
        for name in ["ada", "bob", "cleo", "dora"] {
            let person = try await api.person(name)
            world.people[name] = person
            world.ids[name] = person.id
        }
        try await world.upload(api)
        try await world.post(api)
        try await world.schedule(api)
        try await world.act(api)
        try await world.collect(api)
        try await world.discover(api)
        try await world.ask(api)
        try await world.filter(api)
        try await world.register(api)
        try await world.moderate(api)
        try await world.logIn(api)
        try await world.apply(api)
        return world
    }

    func person(_ name: String) throws -> Member {
        guard let person = people[name] else { throw MissingPerson(name: name) }
        return person
    }

    /// A file and an attachment that no status shows, and another one for ada's status.
    private mutating func upload(_ api: WebAPI) async throws {
        let ada = try person("ada")
        let file = WebBody(type: "image/png", bytes: Data(SampleMedia.png()))
        _ = try await api.send(.put, "/files/photo.png", as: ada, file)
        for (name, seed) in [("media", 1), ("attached", 2)] as [(String, UInt8)] {
            let body = WebBody.files([("file", SampleMedia.png(seed))], [("description", name), ("focus", "0.1,-1")])
            ids[name] = try await api.send(.post, "/api/v1/media", as: ada, body).json?["id"]?.text
        }
    }

    private mutating func post(_ api: WebAPI) async throws {
        let (ada, bob) = (try person("ada"), try person("bob"))
        let status = try await api.post(
            "@bob hello #tag https://example.org", by: ada,
            more: "&spoiler_text=cw&media_ids%5B%5D=\(ids["attached", default: ""])")
        ids["status"] = status
        ids["reply"] = try await api.post("@ada an answer", by: bob, replyTo: status)
        ids["poll"] = try await api.post(
            "bob asks", by: bob, more: "&poll[options][]=a&poll[options][]=b&poll[expires_in]=2629746")
        _ = try await api.post("ada's private", by: ada, "private")
    }

    /// Scheduled statuses of ada's; each endpoint that changes one has its own.
    private mutating func schedule(_ api: WebAPI) async throws {
        for name in ["scheduled", "canceled"] {
            let form = "status=\(name)&scheduled_at=2099-01-01T00%3A00%3A00Z&visibility=direct"
            let response = try await api.send(.post, "/api/v1/statuses", as: try person("ada"), .form(form))
            ids[name] = response.json?["id"]?.text
        }
    }

    private func act(_ api: WebAPI) async throws {
        let status = ids["status", default: ""]
        let bob = try person("bob")
        _ = try await api.send(.post, "/api/v1/accounts/\(ids["ada", default: ""])/follow", as: bob)
        for act in ["favourite", "bookmark", "reblog"] {
            _ = try await api.send(.post, "/api/v1/statuses/\(status)/\(act)", as: bob)
        }
        _ = try await api.send(
            .put, "/api/v1/statuses/\(status)", as: try person("ada"),
            .form("status=%40bob+edited+%23tag&media_ids%5B%5D=\(ids["attached", default: ""])"))
    }

    private mutating func collect(_ api: WebAPI) async throws {
        let bob = try person("bob")
        _ = try await api.send(.post, "/api/v1/accounts/\(ids["dora", default: ""])/follow", as: bob)
        for name in ["list", "emptyList"] {
            ids[name] = try await api.must(.post, "/api/v1/lists", as: bob, .form("title=\(name)"))["id"]?.text
        }
        let path = "/api/v1/lists/\(ids["list", default: ""])/accounts"
        try await api.must(.post, path, as: bob, .form("account_ids[]=\(ids["ada", default: ""])"))
        try await api.must(.post, "/api/v1/tags/followed/follow", as: bob)
    }

    private mutating func ask(_ api: WebAPI) async throws {
        let (ada, cleo) = (try person("ada"), try person("cleo"))
        _ = try await api.send(.patch, "/api/v1/accounts/update_credentials", as: cleo, .form("locked=true"))
        for name in ["ada", "bob"] {
            _ = try await api.send(.post, "/api/v1/accounts/\(cleo.id)/follow", as: try person(name))
        }
        // Notifications of actions that no later request undoes.
        for (name, kind) in [("notification", "follow"), ("notificationBefore", "mention")] {
            let told = try await api.send(.get, "/api/v1/notifications?types[]=\(kind)", as: ada).json
            ids[name] = told?[0]?["id"]?.text ?? "1"
        }
        let groups = try await api.send(.get, "/api/v2/notifications?types[]=favourite", as: ada).json
        ids["group"] = groups?["notification_groups"]?[0]?["group_key"]?.text ?? "none"
    }

    private mutating func moderate(_ api: WebAPI) async throws {
        for name in ["eve", "fred"] { ids[name] = try await api.person(name).id }
        people["root"] = try await api.admin("root")
        _ = try await api.test.store.moderation.perform(.suspend, on: Int64(ids["fred", default: ""]) ?? 0)
        let form = "account_id=\(ids["ada", default: ""])&status_ids[]=\(ids["status", default: ""])&comment=no"
        let reported = try await api.send(.post, "/api/v1/reports", as: try person("bob"), .form(form))
        ids["report"] = reported.json?["id"]?.text
    }

    /// Two more logins of ada's, of which one is ended.
    private mutating func logIn(_ api: WebAPI) async throws {
        let ada = try person("ada")
        for _ in 1...2 { _ = try await api.limited(ada, scopes: "read") }
        let tokens = try await api.test.services.stores.tokens.list(accountID: Int64(ada.id) ?? 0)
        for (name, token) in zip(["login", "ended"], tokens.suffix(2)) { ids[name] = String(token.id) }
    }

    private mutating func register(_ api: WebAPI) async throws {
        let form = "client_name=x&redirect_uris=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&scopes=read+write+follow"
        let response = try await api.send(.post, "/api/v1/apps", .form(form))
        ids["client"] = response.json?["client_id"]?.text
        ids["secret"] = response.json?["client_secret"]?.text
    }
}

extension EndpointWorld {
    /// A conversation and a hashtag that ada features, a custom emoji, and trends.
    fileprivate mutating func discover(_ api: WebAPI) async throws {
        let (ada, bob) = (try person("ada"), try person("bob"))
        _ = api.test.services.emoji.replace(with: EmojiSet([SampleEmoji.make("wave")]))
        ids["conversation"] = try await api.post("@ada secret :wave:", by: bob, "direct")
        let liked = try await api.post("me too #tag", by: bob)
        for act in ["favourite", "reblog"] {
            try await api.must(.post, "/api/v1/statuses/\(liked)/\(act)", as: try person("cleo"))
        }
        let featured = try await api.send(.post, "/api/v1/featured_tags", as: ada, .form("name=feed"))
        ids["featured"] = featured.json?["id"]?.text
        ids["tag"] = "tag"
        try await api.test.store.trends.refresh()
    }

    /// A filter of ada's that matches her own statuses, and one from version 1 of the API; bob endorses ada.
    fileprivate mutating func filter(_ api: WebAPI) async throws {
        let (ada, bob) = (try person("ada"), try person("bob"))
        let form = "title=mine&context[]=home&context[]=public&context[]=account&keywords_attributes[0][keyword]=edited"
        let filter = try await api.must(.post, "/api/v2/filters", as: ada, .form(form))
        ids["filter"] = filter["id"]?.text
        ids["keyword"] = filter["keywords"]?[0]?["id"]?.text
        ids["entry"] = try await api.must(
            .post, "/api/v2/filters/\(ids["filter", default: ""])/statuses", as: ada,
            .form("status_id=\(ids["status", default: ""])"))["id"]?.text
        ids["oldkeyword"] = try await api.must(
            .post, "/api/v1/filters", as: ada, .form("phrase=answer&context[]=home"))["id"]?.text
        try await api.must(.post, "/api/v1/accounts/\(ada.id)/endorse", as: bob)
    }

    /// Two sign-ups that await approval.
    fileprivate mutating func apply(_ api: WebAPI) async throws {
        for name in ["applicant", "rejected"] {
            let made = try await api.test.store.registrations.register(
                NewAccount(username: name), SignUp(mode: .approval, reason: "please"))
            ids[name] = String(made.account.id)
        }
    }
}

struct MissingPerson: Error {
    let name: String
}

extension APIEndpoint {
    /// A valid body, with its ids replaced.
    func body(_ ids: [String: String]) -> WebBody? {
        form.map { .form(ids.reduce($0) { $0.replacing("{\($1.key)}", with: $1.value) }) }
    }
}
