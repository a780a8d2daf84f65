<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutPage</name>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>A palimpsest is a parchment on which the older text can still be read.</source>
        <translation>Palimpsest 是“重写羊皮卷”：新字之下，旧文仍可辨读。</translation>
    </message>
    <message>
        <source>run from its sources</source>
        <translation>从源代码运行</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>No telemetry, no account, no phone-home.</source>
        <translation>没有遥测，没有账号，不向外联络。</translation>
    </message>
    <message>
        <source>BUILT WITH</source>
        <translation>所用组件</translation>
    </message>
</context>
<context>
    <name>AgentWords</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Waits until there is room</source>
        <translation>等待空位</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>等你回应</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Ended before it was done</source>
        <translation>未完成即已结束</translation>
    </message>
    <message>
        <source>Writes its answer</source>
        <translation>正在写回答</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>When a long answer is there, or something waits for you, while you are elsewhere</source>
        <translation>你在别处时，较长的回答完成或有事等你回应，会通知你</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Text and everything with it, 80 to 200 percent</source>
        <translation>文字及其他一切，80% 到 200%</translation>
    </message>
    <message>
        <source>Nothing slides or grows; it is simply there</source>
        <translation>没有滑动和伸展，直接显示</translation>
    </message>
</context>
<context>
    <name>Archiving</name>
    <message>
        <source>Export all chats</source>
        <translation>导出全部对话</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) saved in {file}</source>
        <translation>
            <numerusform>已将 %n 个对话保存到 {file}</numerusform>
        </translation>
    </message>
    <message>
        <source>Writing {file}</source>
        <translation>正在写入 {file}</translation>
    </message>
</context>
<context>
    <name>AskCard</name>
    <message>
        <source>A question</source>
        <translation>一个问题</translation>
    </message>
    <message>
        <source>For the sub-agent “{task}”</source>
        <translation>来自子智能体“{task}”</translation>
    </message>
    <message>
        <source>It also does: {what}</source>
        <translation>它还会：{what}</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>For this chat</source>
        <translation>在本对话中</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>In this chat, or always, would go without a question: {rules}</source>
        <translation>选“在本对话中”或“始终”后不再询问：{rules}</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Why not? The model is told</source>
        <translation>为什么不？会告诉模型</translation>
    </message>
    <message>
        <source>Why you refuse; the model is told</source>
        <translation>拒绝的原因；会告诉模型</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>不回答</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>你的回答</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Ask you</source>
        <translation>询问你</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Change a file</source>
        <translation>修改文件</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Run a command</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>Reach another computer</source>
        <translation>访问其他计算机</translation>
    </message>
    <message>
        <source>Use a tool of a server of yours</source>
        <translation>使用你的服务器提供的工具</translation>
    </message>
    <message>
        <source>Install software</source>
        <translation>安装软件</translation>
    </message>
    <message>
        <source>Run what may do harm, or can&apos;t be judged</source>
        <translation>运行可能有害或无法判断的操作</translation>
    </message>
</context>
<context>
    <name>AttachWords</name>
    <message>
        <source>This model takes no files like {name}: only the name would be sent.</source>
        <translation>此模型不接受 {name} 这类文件：只会发送其名称。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read.</source>
        <translation>无法读取 {name}。</translation>
    </message>
    <message>
        <source>{name} is a folder: choose files in it, or set it as the chat&apos;s folder.</source>
        <translation>{name} 是文件夹：请选择其中的文件，或将它设为对话的文件夹。</translation>
    </message>
    <message>
        <source>{name} is larger than 20 MB.</source>
        <translation>{name} 超过 20 MB。</translation>
    </message>
    <message>
        <source>{name} is neither text nor a picture: no model could read it.</source>
        <translation>{name} 既不是文本也不是图片：没有模型能读取它。</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} 是空的。</translation>
    </message>
</context>
<context>
    <name>BandWords</name>
    <message numerus="yes">
        <source>%n tool definition(s)</source>
        <translation>
            <numerusform>%n 个工具定义</numerusform>
        </translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message numerus="yes">
        <source>Summary of %n message(s)</source>
        <translation>
            <numerusform>%n 条消息的摘要</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) in brief</source>
        <translation>
            <numerusform>%n 条消息的简述</numerusform>
        </translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>You · now</source>
        <translation>你 · 现在</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Tool result</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>Note to the model</source>
        <translation>给模型的备注</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>shortened</source>
        <translation>已缩短</translation>
    </message>
    <message>
        <source>filtered</source>
        <translation>已过滤</translation>
    </message>
    <message>
        <source>vaulted</source>
        <translation>在保险库</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>已合并</translation>
    </message>
    <message>
        <source>summarised</source>
        <translation>已摘要</translation>
    </message>
    <message>
        <source>in brief</source>
        <translation>简述</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>served from cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
</context>
<context>
    <name>BoardChip</name>
    <message>
        <source>Task board</source>
        <translation>任务板</translation>
    </message>
    <message numerus="yes">
        <source>{done} of %n task(s)</source>
        <translation>
            <numerusform>任务 {done}/%n</numerusform>
        </translation>
    </message>
    <message>
        <source>The tasks that the model works through</source>
        <translation>模型正在处理的任务</translation>
    </message>
    <message>
        <source>open</source>
        <translation>待办</translation>
    </message>
    <message>
        <source>at work</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>已放弃</translation>
    </message>
</context>
<context>
    <name>Browser</name>
    <message>
        <source>Search the names</source>
        <translation>按名称查找</translation>
    </message>
    <message>
        <source>Originals of this chat</source>
        <translation>本对话的原文</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>CacheCardView</name>
    <message>
        <source>Prompt cache</source>
        <translation>提示缓存</translation>
    </message>
    <message>
        <source>Keep it warm…</source>
        <translation>保持缓存有效…</translation>
    </message>
    <message>
        <source>Settings of the prompt cache</source>
        <translation>提示缓存的设置</translation>
    </message>
</context>
<context>
    <name>CachePage</name>
    <message>
        <source>Prompt cache</source>
        <translation>提示缓存</translation>
    </message>
    <message>
        <source>For some minutes a provider keeps what it has read, and reads it again at a fraction of the price. A probe is your last request once more, without an answer: it keeps the prompt there.</source>
        <translation>服务商会把读过的内容保留几分钟，再次读取时只收一小部分价钱。探测就是把你上一次的请求再发一遍，但不要回答：这样提示就留在那里。</translation>
    </message>
    <message>
        <source>Limit a day in US dollars</source>
        <translation>每日上限（美元）</translation>
    </message>
    <message>
        <source>Keep it warm</source>
        <translation>保持缓存有效</translation>
    </message>
    <message>
        <source>keep-alive, probe, cost</source>
        <translation>保活、探测、费用</translation>
    </message>
    <message>
        <source>Limit a day</source>
        <translation>每日上限</translation>
    </message>
    <message>
        <source>What probes may cost in all chats, where they are sent always</source>
        <translation>“始终”模式下，所有对话的探测每天最多花费</translation>
    </message>
</context>
<context>
    <name>CacheRows</name>
    <message>
        <source>Prompt cache</source>
        <translation>提示缓存</translation>
    </message>
    <message>
        <source>Nothing was asked yet. How much of each prompt came from the cache will stand here.</source>
        <translation>还没有提问。每次提示有多少来自缓存，会显示在这里。</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Whether the provider likely still has the prompt, and for how many minutes</source>
        <translation>服务商是否可能还留着提示，以及还能留几分钟</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Hit rate</source>
        <translation>命中率</translation>
    </message>
    <message>
        <source>Input tokens read from the cache ÷ all input tokens of this chat; a model&apos;s first answer finds no cache</source>
        <translation>从缓存读取的输入 Token ÷ 本对话全部输入 Token；模型的首次回答不会命中缓存</translation>
    </message>
    <message>
        <source>Saved here</source>
        <translation>本对话节省</translation>
    </message>
    <message>
        <source>In this chat, against prompts without a cache; US dollars</source>
        <translation>在此对话中，与没有缓存相比；美元</translation>
    </message>
    <message>
        <source>Next probe</source>
        <translation>下次探测</translation>
    </message>
    <message>
        <source>When the prompt is asked for once more so that it stays; minutes and seconds</source>
        <translation>何时再发一遍提示以保持缓存；分与秒</translation>
    </message>
    <message>
        <source>Last break</source>
        <translation>上次失效</translation>
    </message>
    <message>
        <source>Why less came from the cache than the request before had, and what that cost</source>
        <translation>为什么从缓存读到的比上一次请求少，以及为此花费多少</translation>
    </message>
    <message>
        <source>none planned</source>
        <translation>没有计划</translation>
    </message>
    <message>
        <source>none: today&apos;s limit is reached</source>
        <translation>无：已达到今日上限</translation>
    </message>
    <message>
        <source>in {time}</source>
        <translation>{time} 后</translation>
    </message>
    <message>
        <source>nothing reported</source>
        <translation>没有报告</translation>
    </message>
    <message>
        <source>{cached} of {all} read from it</source>
        <translation>{all} 中有 {cached} 读自缓存</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>What the provider said of the last request, in tokens</source>
        <translation>服务商对上一次请求的报告，单位 Token</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>请求次数</translation>
    </message>
    <message>
        <source>Answers whose usage the provider reported</source>
        <translation>服务商报告了用量的回答</translation>
    </message>
    <message>
        <source>Input · cached</source>
        <translation>输入 · 缓存</translation>
    </message>
    <message>
        <source>Tokens of all those requests, and those read from the cache</source>
        <translation>这些请求的全部 Token，以及其中读自缓存的</translation>
    </message>
    <message>
        <source>Spent here</source>
        <translation>本对话花费</translation>
    </message>
    <message>
        <source>On requests of every kind in this chat; US dollars</source>
        <translation>此对话中各类请求的花费；美元</translation>
    </message>
    <message>
        <source>Keep-alive cost</source>
        <translation>保温花费</translation>
    </message>
    <message>
        <source>Of it on probes; US dollars</source>
        <translation>其中用于探测；美元</translation>
    </message>
    <message>
        <source>Today, all chats</source>
        <translation>今天，所有对话</translation>
    </message>
    <message>
        <source>Saved by caches and spent since midnight; US dollars</source>
        <translation>自午夜起缓存节省的与花费的；美元</translation>
    </message>
    <message>
        <source>your setting</source>
        <translation>你的设置</translation>
    </message>
    <message>
        <source>as delivered</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>How this provider keeps prompts</source>
        <translation>此服务商如何保留提示</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Whose rules of caching hold for the model</source>
        <translation>此模型适用哪家的缓存规则</translation>
    </message>
    <message>
        <source>Kept for</source>
        <translation>保留时长</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
    <message>
        <source>Minutes from its last use until the provider forgets a prompt</source>
        <translation>从最后一次使用到服务商忘记提示的分钟数</translation>
    </message>
    <message>
        <source>Least length</source>
        <translation>最短长度</translation>
    </message>
    <message>
        <source>Tokens below which a prompt is never kept</source>
        <translation>短于这么多 Token 的提示从不保留</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>When prompts are kept warm, and whose choice that is</source>
        <translation>何时为提示保温，以及由谁决定</translation>
    </message>
    <message>
        <source>by itself</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>at marks we set</source>
        <translation>在我们设的标记处</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>while it pays</source>
        <translation>划算时</translation>
    </message>
    <message>
        <source>always</source>
        <translation>始终</translation>
    </message>
</context>
<context>
    <name>CacheWords</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Next probe</source>
        <translation>下次探测</translation>
    </message>
    <message>
        <source>in {time}</source>
        <translation>{time} 后</translation>
    </message>
    <message>
        <source>none: today&apos;s limit is reached</source>
        <translation>无：已达到今日上限</translation>
    </message>
    <message>
        <source>Hit rate</source>
        <translation>命中率</translation>
    </message>
    <message>
        <source>Last break</source>
        <translation>上次失效</translation>
    </message>
    <message>
        <source>this model offers no cache</source>
        <translation>此模型不提供缓存</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not kept: below the model&apos;s minimum</source>
        <translation>未保留：低于模型的最小长度</translation>
    </message>
    <message>
        <source>not kept by the provider</source>
        <translation>服务商未保留</translation>
    </message>
    <message>
        <source>likely warm · {time}</source>
        <translation>可能有效 · {time}</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>{rate} · {later} % without first answers</source>
        <translation>{rate} · 不计首次回答为 {later}%</translation>
    </message>
    <message>
        <source>{sum}, in part unknown</source>
        <translation>{sum}，部分未知</translation>
    </message>
    <message>
        <source>price unknown</source>
        <translation>价格未知</translation>
    </message>
    <message>
        <source>turn {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>Last turn</source>
        <translation>上一轮</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>本对话</translation>
    </message>
    <message>
        <source>Today, all chats</source>
        <translation>今天，所有对话</translation>
    </message>
    <message>
        <source>saved {saved} · spent {spent}</source>
        <translation>节省 {saved} · 花费 {spent}</translation>
    </message>
    <message>
        <source>probes {cost}</source>
        <translation>探测 {cost}</translation>
    </message>
    <message>
        <source>model switched</source>
        <translation>切换了模型</translation>
    </message>
    <message>
        <source>provider switched</source>
        <translation>切换了服务商</translation>
    </message>
    <message>
        <source>the system text changed</source>
        <translation>系统文本有变</translation>
    </message>
    <message>
        <source>tools changed: {names}</source>
        <translation>工具有变：{names}</translation>
    </message>
    <message>
        <source>a tool is described otherwise: {names}</source>
        <translation>工具说明有变：{names}</translation>
    </message>
    <message>
        <source>a compression changed message {n}</source>
        <translation>压缩改动了第 {n} 条消息</translation>
    </message>
    <message>
        <source>an undo changed message {n}</source>
        <translation>撤销改动了第 {n} 条消息</translation>
    </message>
    <message>
        <source>message {n} was edited</source>
        <translation>第 {n} 条消息被编辑</translation>
    </message>
    <message>
        <source>the reasoning effort changed</source>
        <translation>思考强度有变</translation>
    </message>
    <message>
        <source>expired after {time}</source>
        <translation>{time} 后过期</translation>
    </message>
    <message>
        <source>below the model&apos;s minimum</source>
        <translation>低于模型的最小长度</translation>
    </message>
    <message>
        <source>the provider no longer had it</source>
        <translation>服务商已不再保留</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
</context>
<context>
    <name>CalledBar</name>
    <message>
        <source>A sub-agent&apos;s own chat: it has its task from another chat, and hands its result over there.</source>
        <translation>这是子智能体自己的对话：任务来自另一个对话，结果也交回那里。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop this sub-agent</source>
        <translation>停止此子智能体</translation>
    </message>
</context>
<context>
    <name>Calls</name>
    <message>
        <source>“{title}” waits for you</source>
        <translation>“{title}”正等你回应</translation>
    </message>
    <message>
        <source>Today&apos;s limit for keeping prompts warm is reached</source>
        <translation>今日用于保持缓存有效的花费已达上限</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>“{title}” ended with an error</source>
        <translation>“{title}”因错误结束</translation>
    </message>
    <message>
        <source>“{title}” is answered</source>
        <translation>“{title}”已有回答</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>CardWords</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>The model sees {shown} of {whole} tokens of it.</source>
        <translation>共 {whole} Token，模型看到其中 {shown}。</translation>
    </message>
    <message>
        <source>A summary stands for it in the context.</source>
        <translation>上下文里由一份摘要代替它。</translation>
    </message>
    <message>
        <source>It is not in the context; the model can read it by its address.</source>
        <translation>它不在上下文里；模型可以按地址读取。</translation>
    </message>
    <message>
        <source>Put back in context (+{n})</source>
        <translation>放回上下文（+{n}）</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>{n} lines</source>
        <translation>{n} 行</translation>
    </message>
</context>
<context>
    <name>CategoryWords</name>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Ledger, summary, notes</source>
        <translation>约定、摘要、备注</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Tool results</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Media</source>
        <translation>媒体</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
</context>
<context>
    <name>ChatDelegate</name>
    <message>
        <source>Title of the chat</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等你回应</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>fork</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>{percent} % of the window</source>
        <translation>占窗口的 {percent}%</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等你回应</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>healthy</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>危急</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>system prompt, sampling, thinking</source>
        <translation>系统提示、采样、思考</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>All of this holds from the next message on.</source>
        <translation>从下一条消息起生效。</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>按 Enter 发送</translation>
    </message>
    <message>
        <source>Off: Enter makes a new line, and Ctrl+Enter sends</source>
        <translation>关闭后：Enter 换行，Ctrl+Enter 发送</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指示</translation>
    </message>
    <message>
        <source>Every model reads them before a chat&apos;s first message</source>
        <translation>每个模型都在对话的第一条消息之前读到</translation>
    </message>
    <message>
        <source>How answers should be, who you are, what matters to you</source>
        <translation>回答应当怎样，你是谁，你看重什么</translation>
    </message>
    <message>
        <source>Write titles</source>
        <translation>自动写标题</translation>
    </message>
    <message>
        <source>A short request after the first answer; off: the first words are the title</source>
        <translation>第一次回答后发一个简短请求；关闭后以开头的字词为标题</translation>
    </message>
    <message>
        <source>What models are asked for</source>
        <translation>对模型的要求</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>Lean</source>
        <translation>精简</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>检索</translation>
    </message>
    <message>
        <source>Automatic: full where a chat works in a folder, else none</source>
        <translation>自动：对话在文件夹中工作时为完整，否则没有</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>As the model does</source>
        <translation>由模型决定</translation>
    </message>
    <message>
        <source>Little</source>
        <translation>少</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Much</source>
        <translation>多</translation>
    </message>
    <message>
        <source>Models that can&apos;t set it go without</source>
        <translation>不支持的模型忽略此项</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>回答上限</translation>
    </message>
    <message>
        <source>In tokens; empty: what the model can</source>
        <translation>以 Token 计；留空则按模型上限</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 to 2, higher is more varied; empty: the model&apos;s own</source>
        <translation>0 到 2，越高越多变；留空则用模型自己的</translation>
    </message>
</context>
<context>
    <name>ChatWords</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>{model} answered, since {failed} failed</source>
        <translation>由 {model} 回答，因为 {failed} 失败了</translation>
    </message>
    <message>
        <source>{s} s to first token</source>
        <translation>首个 Token {s} 秒</translation>
    </message>
    <message>
        <source>{share}% cached</source>
        <translation>缓存 {share}%</translation>
    </message>
    <message>
        <source>{n} in</source>
        <translation>输入 {n}</translation>
    </message>
    <message>
        <source>{n} out</source>
        <translation>输出 {n}</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>interrupted when the program ended</source>
        <translation>程序结束时中断</translation>
    </message>
    <message>
        <source>ended at the length limit</source>
        <translation>达到长度上限</translation>
    </message>
    <message>
        <source>refused by the provider</source>
        <translation>被服务商拒绝</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>正在发送</translation>
    </message>
    <message>
        <source>Waiting for the provider&apos;s limit</source>
        <translation>正在等待服务商的速率限制</translation>
    </message>
    <message>
        <source>Starting what talks to models</source>
        <translation>正在启动模型连接</translation>
    </message>
    <message>
        <source>Waiting for the first words</source>
        <translation>正在等待回答</translation>
    </message>
    <message>
        <source>The first model failed; waiting for {name}</source>
        <translation>第一个模型没有成功，正在等待 {name}</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>正在思考</translation>
    </message>
    <message>
        <source>Tools are at work</source>
        <translation>工具正在运行</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等待你的决定</translation>
    </message>
    <message>
        <source>Trying again in {s} s ({n} of {of})</source>
        <translation>{s} 秒后重试（第 {n} 次，共 {of} 次）</translation>
    </message>
    <message>
        <source>{what}, {s} s</source>
        <translation>{what}，{s} 秒</translation>
    </message>
    <message numerus="yes">
        <source>Folded %n message(s) · {before} → {after} tokens</source>
        <translation>
            <numerusform>已折叠 %n 条消息 · {before} → {after} Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Making room: {step}</source>
        <translation>正在腾出空间：{step}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>sub-agents {price}</source>
        <translation>子智能体 {price}</translation>
    </message>
    <message>
        <source>The provider&apos;s limit is reached: sent in {s} s</source>
        <translation>已达到服务商的限额：{s} 秒后发送</translation>
    </message>
    <message>
        <source>{used} of {window}: fits</source>
        <translation>{used} / {window}：放得下</translation>
    </message>
    <message>
        <source>{used} of {window}: will compress</source>
        <translation>{used} / {window}：将先压缩</translation>
    </message>
    <message>
        <source>{used}, window unknown</source>
        <translation>{used}，窗口未知</translation>
    </message>
    <message>
        <source>prompt cache written anew</source>
        <translation>提示缓存将重写</translation>
    </message>
    <message>
        <source>prompt cache written anew, ≈ {price}</source>
        <translation>提示缓存将重写，约 {price}</translation>
    </message>
    <message>
        <source>Compressing</source>
        <translation>正在压缩</translation>
    </message>
    <message>
        <source>Compressing: {step}</source>
        <translation>正在压缩：{step}</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Originals</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Fork from here</source>
        <translation>从这里分叉</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Forked from “{title}”</source>
        <translation>分叉自“{title}”</translation>
    </message>
    <message>
        <source>Fork: “{title}”</source>
        <translation>分叉：“{title}”</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Delete message</source>
        <translation>删除消息</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>消息已删除</translation>
    </message>
    <message>
        <source>This message has no answer yet.</source>
        <translation>这条消息还没有回答。</translation>
    </message>
    <message>
        <source>The work on your message ended before its answer.</source>
        <translation>对你这条消息的处理在给出回答前结束了。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Revert file changes…</source>
        <translation>撤回文件改动…</translation>
    </message>
    <message>
        <source>{n} tokens more in one step</source>
        <translation>这一步增加了 {n} Token</translation>
    </message>
    <message>
        <source>{n}% of the window is used</source>
        <translation>窗口已用 {n}%</translation>
    </message>
    <message>
        <source>The model refused the length of this request</source>
        <translation>模型拒绝了此请求的长度</translation>
    </message>
    <message>
        <source>{n}% of the window is used: hardly any room is left</source>
        <translation>窗口已用 {n}%：几乎没有剩余空间</translation>
    </message>
    <message>
        <source>The first words took {n} times as long as usual here</source>
        <translation>首字耗时是此对话平常的 {n} 倍</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message numerus="yes">
        <source>Take back what this turn changed in %n file(s)?</source>
        <translation>
            <numerusform>撤回这一轮对 %n 个文件的改动？</numerusform>
        </translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>As before: {files}</source>
        <translation>已恢复原样：{files}</translation>
    </message>
    <message>
        <source>Removed, since the turn had made them: {files}</source>
        <translation>已删除（由这一轮创建）：{files}</translation>
    </message>
    <message>
        <source>Left alone, since they were changed again or are out of reach: {files}</source>
        <translation>未动（之后又被修改，或无法访问）：{files}</translation>
    </message>
    <message>
        <source>Taken back</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>It goes round in circles</source>
        <translation>它在原地打转</translation>
    </message>
    <message>
        <source>It was told so, and does the same again. Say what it should do, or let it go on.</source>
        <translation>已经提醒过它，它仍在重复。告诉它该怎么做，或让它继续。</translation>
    </message>
    <message numerus="yes">
        <source>It asked the model %n time(s)</source>
        <translation>
            <numerusform>它已请求模型 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything so far is kept. It goes on where it stands, if you want that.</source>
        <translation>到目前为止的一切都已保留。如果你愿意，它会从当前位置继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n hook(s) of yours failed; the turn went on</source>
        <translation>
            <numerusform>你的 %n 个钩子失败了；本轮已继续</numerusform>
        </translation>
    </message>
    <message>
        <source>had not ended after {s} s, and was ended</source>
        <translation>{s} 秒后仍未结束，已被终止</translation>
    </message>
    <message>
        <source>could not be started</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>ended with exit code {code}</source>
        <translation>以退出码 {code} 结束</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>Note to the model</source>
        <translation>给模型的备注</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Reasoning that the provider keeps to itself</source>
        <translation>服务商未公开的思考过程</translation>
    </message>
    <message>
        <source>Unsupported part</source>
        <translation>不支持的内容</translation>
    </message>
    <message>
        <source>Result of {name}</source>
        <translation>{name} 的结果</translation>
    </message>
    <message>
        <source>Result of a tool</source>
        <translation>工具的结果</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等你回应</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>即将开始</translation>
    </message>
    <message>
        <source>{s} s</source>
        <translation>{s} 秒</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation>{n} 个字符</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>≈ {n} tokens</source>
        <translation>≈ {n} Token</translation>
    </message>
</context>
<context>
    <name>CommandActions</name>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Search all messages</source>
        <translation>搜索全部消息</translation>
    </message>
    <message>
        <source>Next chat</source>
        <translation>下一个对话</translation>
    </message>
    <message>
        <source>Previous chat</source>
        <translation>上一个对话</translation>
    </message>
    <message>
        <source>Back from a sub-agent&apos;s chat</source>
        <translation>从子智能体的对话返回</translation>
    </message>
    <message>
        <source>Look at the sample chat</source>
        <translation>查看示例对话</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Export this chat…</source>
        <translation>导出此对话…</translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation>导出全部对话…</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>写消息</translation>
    </message>
    <message>
        <source>Attach files…</source>
        <translation>添加附件…</translation>
    </message>
    <message>
        <source>Write over the whole window</source>
        <translation>用整个窗口书写</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在本对话中查找</translation>
    </message>
    <message>
        <source>Go to a message…</source>
        <translation>转到某条消息…</translation>
    </message>
    <message>
        <source>Pin or unpin your message</source>
        <translation>固定或取消固定你的消息</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>The folder of this chat</source>
        <translation>此对话的文件夹</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Go to what waits for you</source>
        <translation>转到等你回应之处</translation>
    </message>
    <message>
        <source>Allow once, or the first answer</source>
        <translation>允许一次，或第一个回答</translation>
    </message>
    <message>
        <source>Allow in this chat, or the second answer</source>
        <translation>在本对话中允许，或第二个回答</translation>
    </message>
    <message>
        <source>Allow always, or the third answer</source>
        <translation>始终允许，或第三个回答</translation>
    </message>
    <message>
        <source>Refuse, or give no answer</source>
        <translation>拒绝，或不回答</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>The tasks of this chat</source>
        <translation>此对话的任务</translation>
    </message>
    <message>
        <source>Compress</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Preview a compression…</source>
        <translation>预览压缩…</translation>
    </message>
    <message>
        <source>Continue in a new chat…</source>
        <translation>在新对话中继续…</translation>
    </message>
    <message>
        <source>Originals of this chat</source>
        <translation>本对话的原文</translation>
    </message>
    <message>
        <source>Summaries and ledger of this chat</source>
        <translation>本对话的摘要与约定</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>复制最后的回答</translation>
    </message>
    <message>
        <source>Your message above</source>
        <translation>上一条我的消息</translation>
    </message>
    <message>
        <source>Your message below</source>
        <translation>下一条我的消息</translation>
    </message>
    <message>
        <source>Show or hide the chats</source>
        <translation>显示或隐藏对话列表</translation>
    </message>
    <message>
        <source>Show or hide the health panel</source>
        <translation>显示或隐藏健康面板</translation>
    </message>
    <message>
        <source>What the model sees</source>
        <translation>模型看到的内容</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Text at its first size</source>
        <translation>恢复文字大小</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>CompactionWords</name>
    <message>
        <source>Compaction</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Nothing was compressed in this chat yet. What it saved and cost will stand here.</source>
        <translation>此对话还没有压缩过。节省与花费会显示在这里。</translation>
    </message>
    <message>
        <source>none stands</source>
        <translation>没有生效的</translation>
    </message>
    <message>
        <source>{n} of {total}, {direct} directly</source>
        <translation>{total} 项中的 {n} 项，{direct} 项直接可见</translation>
    </message>
    <message>
        <source>Runs · last</source>
        <translation>次数 · 上次</translation>
    </message>
    <message>
        <source>Compressions that stand, and when the last one was made</source>
        <translation>生效的压缩次数，以及最近一次的时间</translation>
    </message>
    <message>
        <source>Saved (net)</source>
        <translation>节省（净）</translation>
    </message>
    <message>
        <source>Tokens that requests have less since; net of what was read again or put back</source>
        <translation>此后请求少带的 Token；括号内扣除了重读和放回的</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Saved tokens ÷ (saved + tokens left in their place)</source>
        <translation>节省的 Token ÷（节省 + 原处留下的 Token）</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重读</translation>
    </message>
    <message>
        <source>Readings of what was folded; share of folded items that were read again</source>
        <translation>对已折叠内容的读取次数；被重读的折叠项所占比例</translation>
    </message>
    <message>
        <source>Facts kept</source>
        <translation>事实保留</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>Exact values of the last checked compression: in the context or one reading away</source>
        <translation>最近一次检查过的压缩中的确切值：在上下文中，或读一次就能得到</translation>
    </message>
    <message>
        <source>{sum}, in part unknown</source>
        <translation>{sum}，部分未知</translation>
    </message>
    <message>
        <source>Dedup gain</source>
        <translation>去重所得</translation>
    </message>
    <message>
        <source>Tokens spared by showing once what stood twice</source>
        <translation>重复内容只显示一次而省下的 Token</translation>
    </message>
    <message>
        <source>Integrity guarded</source>
        <translation>完整性保护</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n 次调用</numerusform>
        </translation>
    </message>
    <message>
        <source>Calls that were folded only together with all of their results</source>
        <translation>只与全部结果一起折叠的调用</translation>
    </message>
    <message>
        <source>Read or put back</source>
        <translation>重读或放回</translation>
    </message>
    <message>
        <source>Tokens that came back into the context</source>
        <translation>又回到上下文中的 Token</translation>
    </message>
    <message>
        <source>Duration, mean · last</source>
        <translation>耗时：平均 · 上次</translation>
    </message>
    <message>
        <source>From the plan to the stored result</source>
        <translation>从计划到结果存好</translation>
    </message>
    <message>
        <source>Summaries stored</source>
        <translation>已存摘要</translation>
    </message>
    <message>
        <source>Compressions that wrote a summary; each can be read, edited and undone</source>
        <translation>写了摘要的压缩；每份都可查看、编辑和撤销</translation>
    </message>
    <message>
        <source>Writing cost</source>
        <translation>撰写花费</translation>
    </message>
    <message>
        <source>Paid to models for summaries, in US dollars</source>
        <translation>为摘要付给模型的费用，美元</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>Compressions that were taken back; they count for nothing above</source>
        <translation>已收回的压缩；不计入以上数字</translation>
    </message>
    <message>
        <source>Growth per turn</source>
        <translation>每轮增长</translation>
    </message>
    <message>
        <source>Tokens a turn adds, over the last five; a turn that was compressed doesn&apos;t count</source>
        <translation>最近五轮每轮增加的 Token；压缩过的一轮不计</translation>
    </message>
    <message>
        <source>Its change</source>
        <translation>增长的变化</translation>
    </message>
    <message>
        <source>By how many tokens the growth changes from turn to turn</source>
        <translation>增长量逐轮变化多少 Token</translation>
    </message>
    <message>
        <source>New information</source>
        <translation>新信息</translation>
    </message>
    <message>
        <source>Tokens in lines that were not seen before and are no boilerplate ÷ all in the context; below 50 % is low</source>
        <translation>前所未见、也非套话的行中的 Token ÷ 上下文全部 Token；低于 50% 偏低</translation>
    </message>
    <message>
        <source>Tokens older than 20 turns, not pinned, no name of which was used since ÷ all in the context</source>
        <translation>超过 20 轮、未固定且其中名称再未用到的 Token ÷ 上下文全部 Token</translation>
    </message>
    <message>
        <source>Repeated results</source>
        <translation>重复结果</translation>
    </message>
    <message>
        <source>Tokens of tool results that an earlier one said already ÷ all of tool results</source>
        <translation>先前结果已说过的工具结果 Token ÷ 全部工具结果 Token</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>陈旧</translation>
    </message>
    <message>
        <source>Wait index</source>
        <translation>等待指数</translation>
    </message>
    <message>
        <source>Last wait for a first token ÷ what this chat lets expect; 2 and more is slow</source>
        <translation>上次等首个 Token 的时间 ÷ 按此对话预期的时间；2 及以上为慢</translation>
    </message>
    <message>
        <source>Overflows</source>
        <translation>超长拒绝</translation>
    </message>
    <message>
        <source>{n} of 100</source>
        <translation>每百次 {n}</translation>
    </message>
    <message>
        <source>Requests that were refused for their length</source>
        <translation>因过长而被拒绝的请求</translation>
    </message>
    <message>
        <source>Tokens per task</source>
        <translation>每项任务 Token</translation>
    </message>
    <message>
        <source>Read and written for each finished turn; summaries, probes, sub-agents included</source>
        <translation>每完成一轮读写的 Token；含摘要、探测和子智能体</translation>
    </message>
    <message>
        <source>Output per minute</source>
        <translation>每分钟输出</translation>
    </message>
    <message>
        <source>Tokens the provider wrote each minute of the last answer, from the first one on</source>
        <translation>上次回答从首个 Token 起，服务商每分钟写出的 Token</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>提醒</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Surges of 10,000 tokens, thresholds, refusals, slow starts and loops in this chat</source>
        <translation>此对话中一万 Token 的突增、阈值、拒绝、慢启动和循环</translation>
    </message>
    <message numerus="yes">
        <source>%n surge(s)</source>
        <translation>
            <numerusform>%n 次突增</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) at 70 %</source>
        <translation>
            <numerusform>%n 次到 70%</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) nearly full</source>
        <translation>
            <numerusform>%n 次快满</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slow start(s)</source>
        <translation>
            <numerusform>%n 次慢启动</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n loop(s)</source>
        <translation>
            <numerusform>%n 次循环</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Completing</name>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Editing a message: sending makes a new version.</source>
        <translation>正在编辑消息：发送后成为新版本。</translation>
    </message>
    <message>
        <source>Message Palimpsest — Enter to send, Shift+Enter for a new line</source>
        <translation>给 Palimpsest 写消息 — Enter 发送，Shift+Enter 换行</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Smaller (Esc)</source>
        <translation>缩小（Esc）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Open (F2)</source>
        <translation>打开 (F2)</translation>
    </message>
    <message>
        <source>Cancel compressing</source>
        <translation>取消压缩</translation>
    </message>
    <message>
        <source>Message Palimpsest — Ctrl+Enter to send, Enter for a new line</source>
        <translation>给 Palimpsest 写消息 — Ctrl+Enter 发送，Enter 换行</translation>
    </message>
    <message>
        <source>Esc once more stops the answer.</source>
        <translation>再按一次 Esc 停止回答。</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
    <message>
        <source>Send the new version</source>
        <translation>发送新版本</translation>
    </message>
    <message>
        <source>Queue: send when the answer is done</source>
        <translation>排队：回答结束后发送</translation>
    </message>
    <message>
        <source>Take it back into the composer</source>
        <translation>取回到输入框</translation>
    </message>
    <message>
        <source>Waits: {text}. Take it back into the composer</source>
        <translation>排队中：{text}。取回到输入框</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove what waits: {text}</source>
        <translation>移除等待中的消息：{text}</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Open what is attached</source>
        <translation>打开附件</translation>
    </message>
    <message>
        <source>Backspace takes it out.</source>
        <translation>按退格键移除。</translation>
    </message>
    <message>
        <source>Send what waits</source>
        <translation>发送排队的消息</translation>
    </message>
    <message>
        <source>Next: {text}</source>
        <translation>接着：{text}</translation>
    </message>
</context>
<context>
    <name>CompositionRows</name>
    <message>
        <source>Free</source>
        <translation>剩余</translation>
    </message>
</context>
<context>
    <name>ConfirmDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ContextPage</name>
    <message>
        <source>threshold, window, compression, summary</source>
        <translation>阈值、窗口、压缩、摘要</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Nothing here needs changing. All of it follows from the model; this page shows how.</source>
        <translation>这里无须改动。一切由模型决定；本页说明如何决定。</translation>
    </message>
    <message>
        <source>Compress by itself</source>
        <translation>自动压缩</translation>
    </message>
    <message>
        <source>Free steps first; a summary only when they don&apos;t suffice</source>
        <translation>先用不花钱的办法；不够时才写摘要</translation>
    </message>
    <message>
        <source>Why so</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>No default model is chosen yet.</source>
        <translation>尚未选择默认模型。</translation>
    </message>
    <message>
        <source>{model} · its window is not known: set it under Models</source>
        <translation>{model} · 窗口未知：请在“模型”中设定</translation>
    </message>
    <message>
        <source>watch</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>light</source>
        <translation>轻度</translation>
    </message>
    <message>
        <source>full</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>emergency</source>
        <translation>紧急</translation>
    </message>
    <message>
        <source>What counts is the next request, as the provider will count it, with your draft.</source>
        <translation>以下一次请求为准：按服务商的计数，连同你的草稿。</translation>
    </message>
    <message>
        <source>From {share} of the window on it is watched, and nothing is changed.</source>
        <translation>窗口用到 {share} 起只观察，不改动。</translation>
    </message>
    <message>
        <source>From {share} on old results are shortened, if that pays: a change in what the provider keeps in its cache costs more than it saves, unless many requests follow.</source>
        <translation>用到 {share} 起缩短旧结果，但要划算：改动服务商缓存中的内容会先多花钱，后面请求够多才省得回来。</translation>
    </message>
    <message>
        <source>From {share} on room is made in any case, with a summary if need be.</source>
        <translation>用到 {share} 起一定腾出空间，必要时写摘要。</translation>
    </message>
    <message>
        <source>From {share} on a message waits until there is room.</source>
        <translation>用到 {share} 起，消息会等到有空间再发。</translation>
    </message>
    <message>
        <source>{n} tokens are kept free for the answer.</source>
        <translation>为回答留出 {n} Token。</translation>
    </message>
</context>
<context>
    <name>Detail</name>
    <message>
        <source>What would change</source>
        <translation>将要改动的内容</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>全部内容</translation>
    </message>
</context>
<context>
    <name>DetailWords</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Asked first, failed</source>
        <translation>先请求但失败</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation>{n} 个字符</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>{s} s</source>
        <translation>{s} 秒</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Effort</source>
        <translation>推理强度</translation>
    </message>
    <message>
        <source>To the first token</source>
        <translation>到首个 Token</translation>
    </message>
    <message>
        <source>Whole answer</source>
        <translation>整个回答</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Tokens read</source>
        <translation>读取的 Token</translation>
    </message>
    <message>
        <source>of these from the cache</source>
        <translation>其中来自缓存</translation>
    </message>
    <message>
        <source>of these written to it</source>
        <translation>其中写入缓存</translation>
    </message>
    <message>
        <source>Tokens written</source>
        <translation>写出的 Token</translation>
    </message>
    <message>
        <source>of these reasoning</source>
        <translation>其中用于推理</translation>
    </message>
    <message>
        <source>{n} of {of}</source>
        <translation>第 {n} 个，共 {of} 个</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>Details of the message</source>
        <translation>消息详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Doors</name>
    <message>
        <source>That chat is not here any more.</source>
        <translation>这个对话已不在这里。</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Open this address?</source>
        <translation>打开此地址？</translation>
    </message>
    <message>
        <source>The model or a tool wrote this link.</source>
        <translation>此链接由模型或工具写出。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>DropSheet</name>
    <message>
        <source>Drop to attach files, or to import exported chats</source>
        <translation>松开以添加附件，或导入已导出的对话</translation>
    </message>
</context>
<context>
    <name>EndpointCard</name>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Remove it and its key?</source>
        <translation>移除它和它的密钥？</translation>
    </message>
</context>
<context>
    <name>Endpoints</name>
    <message>
        <source>Embedded model</source>
        <translation>内置模型</translation>
    </message>
    <message>
        <source>Built-in responder</source>
        <translation>内置应答器</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>Nothing listens at {host}.</source>
        <translation>{host} 上没有服务在监听。</translation>
    </message>
    <message>
        <source>Is the server running, and is the address right?</source>
        <translation>服务器在运行吗？地址对吗？</translation>
    </message>
    <message>
        <source>The name {host} could not be found.</source>
        <translation>找不到名称 {host}。</translation>
    </message>
    <message>
        <source>Check the address, and whether this computer is online.</source>
        <translation>请检查地址，以及本机是否联网。</translation>
    </message>
    <message>
        <source>No secure connection to {host}: its certificate was not accepted.</source>
        <translation>无法与 {host} 建立安全连接：其证书未被接受。</translation>
    </message>
    <message>
        <source>Behind a company&apos;s proxy, set its CA file at the provider.</source>
        <translation>如在公司代理之后，请在服务商处设置其 CA 文件。</translation>
    </message>
    <message>
        <source>The proxy on the way to {host} refused.</source>
        <translation>通往 {host} 的代理拒绝了连接。</translation>
    </message>
    <message>
        <source>Check the proxy at the provider.</source>
        <translation>请在服务商处检查代理。</translation>
    </message>
    <message>
        <source>{host} cannot be reached.</source>
        <translation>无法连接 {host}。</translation>
    </message>
    <message>
        <source>Check the network and the address.</source>
        <translation>请检查网络和地址。</translation>
    </message>
    <message>
        <source>{name} did not answer in time.</source>
        <translation>{name} 未及时回答。</translation>
    </message>
    <message>
        <source>{name} closed the connection before it answered.</source>
        <translation>{name} 在回答前关闭了连接。</translation>
    </message>
    <message>
        <source>The answer of {name} stood still for too long and was ended.</source>
        <translation>{name} 的回答停顿太久，已结束。</translation>
    </message>
    <message>
        <source>What had arrived is kept.</source>
        <translation>已收到的内容已保留。</translation>
    </message>
    <message>
        <source>{name} needs a key, and none is set.</source>
        <translation>{name} 需要密钥，但尚未设置。</translation>
    </message>
    <message>
        <source>Enter it at the provider; your text stays here.</source>
        <translation>请在服务商处输入；你的文字会留在这里。</translation>
    </message>
    <message>
        <source>{name} did not accept the key.</source>
        <translation>{name} 不接受该密钥。</translation>
    </message>
    <message>
        <source>Check the key at the provider.</source>
        <translation>请在服务商处检查密钥。</translation>
    </message>
    <message>
        <source>{name} does not allow this key to use {model}.</source>
        <translation>{name} 不允许该密钥使用 {model}。</translation>
    </message>
    <message>
        <source>Check what the key may do, or choose another model.</source>
        <translation>请检查密钥的权限，或换一个模型。</translation>
    </message>
    <message>
        <source>The account at {name} has no credit left.</source>
        <translation>{name} 的账户余额已用完。</translation>
    </message>
    <message>
        <source>Top it up there, or choose another model.</source>
        <translation>请在那里充值，或换一个模型。</translation>
    </message>
    <message>
        <source>{name} gets too many requests from this key.</source>
        <translation>{name} 收到该密钥的请求过多。</translation>
    </message>
    <message>
        <source>A moment later it may work.</source>
        <translation>稍后可能就好了。</translation>
    </message>
    <message>
        <source>{name} is overloaded.</source>
        <translation>{name} 过载。</translation>
    </message>
    <message>
        <source>{name} had an error of its own.</source>
        <translation>{name} 自身出错。</translation>
    </message>
    <message>
        <source>The conversation is longer than {model} can take.</source>
        <translation>对话超出了 {model} 的容量。</translation>
    </message>
    <message>
        <source>Compress it, or go on in a fork.</source>
        <translation>请压缩，或在分支中继续。</translation>
    </message>
    <message>
        <source>{name} has no model {model!r}.</source>
        <translation>{name} 没有模型 {model!r}。</translation>
    </message>
    <message>
        <source>Choose another model, or fetch the list anew.</source>
        <translation>请换一个模型，或重新获取列表。</translation>
    </message>
    <message>
        <source>{name} did not take the request.</source>
        <translation>{name} 未接受请求。</translation>
    </message>
    <message>
        <source>Its own words are below.</source>
        <translation>原话见下。</translation>
    </message>
    <message>
        <source>The request is larger than {name} takes.</source>
        <translation>请求大小超出了 {name} 的限制。</translation>
    </message>
    <message>
        <source>Compress it, or leave out attachments.</source>
        <translation>请压缩，或去掉附件。</translation>
    </message>
    <message>
        <source>{name} refused this content.</source>
        <translation>{name} 拒绝了这些内容。</translation>
    </message>
    <message>
        <source>The connection to {name} broke in the middle of the answer.</source>
        <translation>回答途中与 {name} 的连接断开。</translation>
    </message>
    <message>
        <source>What {name} sent is no answer that can be read.</source>
        <translation>{name} 发来的不是可读的回答。</translation>
    </message>
    <message>
        <source>Is the address that of the API?</source>
        <translation>地址是 API 的地址吗？</translation>
    </message>
    <message>
        <source>Whether {name} answered is not known: the process that asked ended.</source>
        <translation>不清楚 {name} 是否已回答：发出请求的进程已结束。</translation>
    </message>
    <message>
        <source>A retry may be billed twice.</source>
        <translation>重试可能会重复计费。</translation>
    </message>
    <message>
        <source>The process that talks to providers keeps ending.</source>
        <translation>与服务商通信的进程一再退出。</translation>
    </message>
    <message>
        <source>Start the program anew; if it stays so, the log says more.</source>
        <translation>请重新启动程序；若仍如此，日志中有更多信息。</translation>
    </message>
    <message>
        <source>The embedded model did not start.</source>
        <translation>内置模型未能启动。</translation>
    </message>
    <message>
        <source>The built-in responder works in any case.</source>
        <translation>内置应答器总是可用。</translation>
    </message>
    <message>
        <source>{name} failed in a way not known here.</source>
        <translation>{name} 出现了未知的故障。</translation>
    </message>
    <message>
        <source>There is nothing to fold that would make these {tokens} tokens fewer.</source>
        <translation>没有可以折叠的内容能让这 {tokens} Token 变少。</translation>
    </message>
    <message>
        <source>A summary can&apos;t be empty.</source>
        <translation>摘要不能为空。</translation>
    </message>
    <message>
        <source>Undo the compaction to be rid of it.</source>
        <translation>要去掉它，请撤销这次压缩。</translation>
    </message>
    <message>
        <source>This summary is not in the context any more.</source>
        <translation>这份摘要已不在上下文中。</translation>
    </message>
    <message>
        <source>The ledger holds {most} lines of yours already.</source>
        <translation>约定里已有 {most} 条你自己的内容。</translation>
    </message>
    <message>
        <source>Remove one first.</source>
        <translation>请先删除一条。</translation>
    </message>
    <message>
        <source>This line is not in the ledger any more.</source>
        <translation>这一条已不在约定中。</translation>
    </message>
    <message>
        <source>A line of the ledger can&apos;t be empty.</source>
        <translation>约定中的一条不能为空。</translation>
    </message>
    <message>
        <source>A line of the ledger has at most {most} characters; this one has {n}.</source>
        <translation>约定中的一条最多 {most} 个字符；这一条有 {n} 个。</translation>
    </message>
    <message>
        <source>Another program is using the chats at this moment.</source>
        <translation>另一个程序正在使用这些对话。</translation>
    </message>
    <message>
        <source>Close other windows of this program, then try again.</source>
        <translation>请关闭本程序的其他窗口，然后重试。</translation>
    </message>
    <message>
        <source>The disk is full, so this could not be saved.</source>
        <translation>磁盘已满，无法保存。</translation>
    </message>
    <message>
        <source>Make room on the disk, then try again.</source>
        <translation>请腾出磁盘空间，然后重试。</translation>
    </message>
    <message>
        <source>The folder {folder!r} cannot be written.</source>
        <translation>无法写入文件夹 {folder!r}。</translation>
    </message>
    <message>
        <source>Allow this program to write there, or choose another data folder.</source>
        <translation>请允许本程序写入，或选择另一个数据文件夹。</translation>
    </message>
    <message>
        <source>The database of the chats is damaged.</source>
        <translation>对话数据库已损坏。</translation>
    </message>
    <message>
        <source>The chats could not be read or written.</source>
        <translation>无法读取或写入对话。</translation>
    </message>
    <message>
        <source>The chats are closed already.</source>
        <translation>对话已关闭。</translation>
    </message>
    <message>
        <source>These chats were last opened by a newer version of this program.</source>
        <translation>这些对话上次由更新版本的程序打开。</translation>
    </message>
    <message>
        <source>Install the newest version, or choose another data folder. Nothing was changed.</source>
        <translation>请安装最新版本，或选择另一个数据文件夹。没有任何改动。</translation>
    </message>
    <message>
        <source>This chat does not exist any more.</source>
        <translation>该对话已不存在。</translation>
    </message>
    <message>
        <source>This message does not exist any more.</source>
        <translation>该消息已不存在。</translation>
    </message>
    <message>
        <source>The message before this one does not exist any more.</source>
        <translation>上一条消息已不存在。</translation>
    </message>
    <message>
        <source>{name!r} is not in the vault any more.</source>
        <translation>{name!r} 已不在保管库中。</translation>
    </message>
    <message>
        <source>{name!r} in the vault is damaged.</source>
        <translation>保管库中的 {name!r} 已损坏。</translation>
    </message>
    <message>
        <source>Nothing in this conversation has the address {name!r}.</source>
        <translation>这个对话里没有地址 {name!r} 的内容。</translation>
    </message>
    <message>
        <source>The rest of the chat is not touched. Restore the file from a backup of the data folder.</source>
        <translation>对话的其余部分不受影响。请从数据文件夹的备份中恢复该文件。</translation>
    </message>
    <message>
        <source>The file {file!r} can&apos;t be written.</source>
        <translation>无法写入文件 {file!r}。</translation>
    </message>
    <message>
        <source>The file {file!r} can&apos;t be opened.</source>
        <translation>无法打开文件 {file!r}。</translation>
    </message>
    <message>
        <source>The file {file!r} is not JSON.</source>
        <translation>文件 {file!r} 不是 JSON。</translation>
    </message>
    <message>
        <source>The file {file!r} holds no conversation of a kind that can be read.</source>
        <translation>文件 {file!r} 中没有可以读取的对话。</translation>
    </message>
    <message>
        <source>Exports of ChatGPT and Claude, sessions of agents, chats as JSON or Markdown, and what Palimpsest exported can be read.</source>
        <translation>可以读取 ChatGPT 与 Claude 的导出、智能体的会话、JSON 或 Markdown 形式的对话，以及 Palimpsest 导出的文件。</translation>
    </message>
    <message>
        <source>The archive {file!r} is damaged or locked.</source>
        <translation>压缩包 {file!r} 已损坏或被加密。</translation>
    </message>
    <message>
        <source>{file!r} unpacks to far more than it says, and was not read.</source>
        <translation>{file!r} 解压后远大于其声明的大小，未读取。</translation>
    </message>
    <message>
        <source>This text is too long to be a list of servers.</source>
        <translation>此文本过长，不可能是服务器列表。</translation>
    </message>
    <message>
        <source>This is no JSON object.</source>
        <translation>这不是 JSON 对象。</translation>
    </message>
    <message>
        <source>There are no servers under &apos;mcpServers&apos;.</source>
        <translation>“mcpServers”下没有服务器。</translation>
    </message>
    <message>
        <source>{name!r} needs either a command or a url.</source>
        <translation>{name!r} 需要一条命令或一个地址，且只能有其一。</translation>
    </message>
    <message>
        <source>{name!r} speaks the older SSE form, which this program does not.</source>
        <translation>{name!r} 使用较旧的 SSE 形式，本程序不支持。</translation>
    </message>
    <message>
        <source>Many such servers speak streamable HTTP, too, at another address.</source>
        <translation>许多这样的服务器在另一地址也支持 streamable HTTP。</translation>
    </message>
</context>
<context>
    <name>EverythingView</name>
    <message>
        <source>Search all messages</source>
        <translation>搜索全部消息</translation>
    </message>
    <message>
        <source>Found messages</source>
        <translation>找到的消息</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>No message holds all of these words.</source>
        <translation>没有消息同时包含这些词。</translation>
    </message>
    <message>
        <source>Type words, or the beginnings of words. “Quotes” keep words together.</source>
        <translation>输入词语或词语的开头。用“引号”可让多个词连在一起。</translation>
    </message>
</context>
<context>
    <name>FactsCard</name>
    <message>
        <source>Facts that were said, and where they can be read afterwards</source>
        <translation>说过的事实，以及之后在哪里可以读到</translation>
    </message>
</context>
<context>
    <name>FallbackList</name>
    <message>
        <source>None: a failure is told at once.</source>
        <translation>无：失败会立即告知。</translation>
    </message>
    <message>
        <source>Models that are asked when one fails, in this order</source>
        <translation>某个模型失败时依次询问的模型</translation>
    </message>
    <message>
        <source>Add the chosen one</source>
        <translation>加入所选模型</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Ask it earlier (Alt+Up)</source>
        <translation>更早询问（Alt+↑）</translation>
    </message>
    <message>
        <source>Ask it later (Alt+Down)</source>
        <translation>更晚询问（Alt+↓）</translation>
    </message>
    <message>
        <source>Ask it no more (Delete)</source>
        <translation>不再询问（Delete）</translation>
    </message>
    <message>
        <source>{model} · not set up any more</source>
        <translation>{model} · 已不再可用</translation>
    </message>
    <message>
        <source>{model} · the default model, asked first</source>
        <translation>{model} · 默认模型，总是最先询问</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the change of {field}</source>
        <translation>撤销对“{field}”的更改</translation>
    </message>
</context>
<context>
    <name>FieldsPage</name>
    <message>
        <source>Reset this page</source>
        <translation>重置本页</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>{n} ms</source>
        <translation>{n} 毫秒</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation>
            <numerusform>%n 分钟前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation>
            <numerusform>%n 小时前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>%n 天前</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Not in this chat</source>
        <translation>本对话中没有</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>第 {n} 处，共 {all} 处</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在本对话中查找</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>Providers</source>
        <translation>服务商</translation>
    </message>
    <message>
        <source>keys, addresses, local servers</source>
        <translation>密钥、地址、本地服务</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>default model, fallbacks, windows, prices</source>
        <translation>默认模型、备用模型、窗口、价格</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Enter, instructions, reasoning, temperature</source>
        <translation>回车、指示、推理、温度</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>words that you keep, variables</source>
        <translation>你保存的文字、变量</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>compression, thresholds, window</source>
        <translation>压缩、阈值、窗口</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>approvals, folders, web, shell</source>
        <translation>许可、文件夹、网络、命令</translation>
    </message>
    <message>
        <source>Hooks</source>
        <translation>钩子</translation>
    </message>
    <message>
        <source>commands of yours in a turn</source>
        <translation>每轮中运行你的命令</translation>
    </message>
    <message>
        <source>MCP servers</source>
        <translation>MCP 服务器</translation>
    </message>
    <message>
        <source>servers of tools</source>
        <translation>提供工具的服务器</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>prompt cache, keeping warm, cost</source>
        <translation>提示缓存、保温、费用</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>theme, dark, size of text, motion</source>
        <translation>主题、深色、文字大小、动画</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>English, Chinese</source>
        <translation>英文、中文</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>keys of commands</source>
        <translation>命令的按键</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>hosts, links, telemetry</source>
        <translation>主机、链接、遥测</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
    <message>
        <source>tokens and cost per day, chat, model</source>
        <translation>每天、每个对话、每个模型的 Token 与费用</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>folder, backups</source>
        <translation>文件夹、备份</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>deleted chats</source>
        <translation>已删除的对话</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>version, licences</source>
        <translation>版本、许可证</translation>
    </message>
</context>
<context>
    <name>FindingWords</name>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Search all messages for “{typed}”</source>
        <translation>在全部消息中搜索“{typed}”</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>other branch</source>
        <translation>另一分支</translation>
    </message>
    <message>
        <source>sub-agent</source>
        <translation>子智能体</translation>
    </message>
    <message>
        <source>reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>tool result</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>long text</source>
        <translation>长文本</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>note</source>
        <translation>附注</translation>
    </message>
    <message>
        <source>MMM d</source>
        <comment>day of this year, in Qt&apos;s letters</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>The best {n}</source>
        <translation>最相关的 {n} 条</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Folders</name>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add a folder: {what}</source>
        <translation>添加文件夹：{what}</translation>
    </message>
</context>
<context>
    <name>ForkDialog</name>
    <message>
        <source>Continue in a new chat</source>
        <translation>在新对话中继续</translation>
    </message>
    <message>
        <source>This chat stays as it is. Each links to the other.</source>
        <translation>这个对话保持原样，两者互有链接。</translation>
    </message>
    <message>
        <source>With a summary</source>
        <translation>带摘要</translation>
    </message>
    <message>
        <source>Summary, ledger and the last messages: room is free again</source>
        <translation>摘要、约定和最后的消息：重新腾出空间</translation>
    </message>
    <message>
        <source>Full copy</source>
        <translation>完整副本</translation>
    </message>
    <message>
        <source>The model sees what it sees here</source>
        <translation>模型看到的与这里相同</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ForkProgress</name>
    <message>
        <source>Continue in a new chat</source>
        <translation>在新对话中继续</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Forks</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>{title} (fork)</source>
        <translation>{title}（分叉）</translation>
    </message>
    <message>
        <source>You are in the fork; “{title}” is as it was.</source>
        <translation>现在在分叉里；“{title}”保持原样。</translation>
    </message>
    <message>
        <source>Too little was said for a summary, so the fork is a full copy.</source>
        <translation>内容太少，写不成摘要，所以分叉是完整副本。</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
</context>
<context>
    <name>FormView</name>
    <message>
        <source>Not tried live by us yet: only its requests are tested.</source>
        <translation>我们尚未实际试用：只测试了其请求。</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>添加 {name}</translation>
    </message>
    <message>
        <source>Requests go to {address}</source>
        <translation>请求发往 {address}</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>It needs a name.</source>
        <translation>需要一个名称。</translation>
    </message>
    <message>
        <source>It needs a command; each quote in it has to be closed.</source>
        <translation>需要一条命令；其中的引号必须成对。</translation>
    </message>
    <message>
        <source>An address looks like https://host/mcp.</source>
        <translation>地址形如 https://host/mcp。</translation>
    </message>
    <message>
        <source>One variable per line, as NAME=value.</source>
        <translation>每行一个变量，写作 NAME=value。</translation>
    </message>
    <message>
        <source>One header per line, as Name: value.</source>
        <translation>每行一个请求头，写作 Name: value。</translation>
    </message>
    <message>
        <source>Between 1 and 3600 seconds, and 1000 and 16000000 characters.</source>
        <translation>秒数须在 1 到 3600 之间，字符数须在 1000 到 16000000 之间。</translation>
    </message>
    <message>
        <source>Values are kept with your keys. A name with nothing behind it keeps the value it has.</source>
        <translation>值与你的密钥保存在一起。名称后留空则保留原值。</translation>
    </message>
    <message>
        <source>A program here</source>
        <translation>本机程序</translation>
    </message>
    <message>
        <source>An address</source>
        <translation>网络地址</translation>
    </message>
    <message>
        <source>The program&apos;s own</source>
        <translation>程序自己的</translation>
    </message>
    <message>
        <source>Ask before each tool</source>
        <translation>每次使用工具前询问</translation>
    </message>
    <message>
        <source>Use its tools without asking</source>
        <translation>使用其工具时不询问</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>请求头</translation>
    </message>
    <message>
        <source>Patience in seconds</source>
        <translation>等待秒数</translation>
    </message>
    <message>
        <source>Characters of a result</source>
        <translation>结果的字符数</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>许可</translation>
    </message>
    <message>
        <source>Where do I get one?</source>
        <translation>在哪里获取？</translation>
    </message>
    <message>
        <source>One per line, as Name: value</source>
        <translation>每行一个，形如 名称: 值</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>This one:</source>
        <translation>这个：</translation>
    </message>
    <message>
        <source>The system&apos;s certificates</source>
        <translation>系统证书</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Extra headers</source>
        <translation>附加请求头</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>CA file</source>
        <translation>CA 文件</translation>
    </message>
    <message>
        <source>Address of the proxy</source>
        <translation>代理地址</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>•••••••• {last}, kept</source>
        <translation>•••••••• {last}，已保留</translation>
    </message>
</context>
<context>
    <name>Greeting</name>
    <message>
        <source>What shall we work on?</source>
        <translation>我们来做点什么？</translation>
    </message>
    <message>
        <source>This chat may grow as long as it needs to: every word is kept.</source>
        <translation>对话可以一直写下去：每一句话都会保留。</translation>
    </message>
    <message>
        <source>Explain code</source>
        <translation>解释代码</translation>
    </message>
    <message>
        <source>Explain step by step what this code does:

</source>
        <translation>请逐步解释这段代码做了什么：

</translation>
    </message>
    <message>
        <source>Improve a text</source>
        <translation>改进文字</translation>
    </message>
    <message>
        <source>Make this text clearer, and say what you changed:

</source>
        <translation>请把这段文字改得更清楚，并说明改了什么：

</translation>
    </message>
    <message>
        <source>Plan a project</source>
        <translation>规划项目</translation>
    </message>
    <message>
        <source>Help me plan this. Ask first what you need to know:

</source>
        <translation>请帮我规划这件事。先问清你需要知道的：

</translation>
    </message>
    <message>
        <source>Weigh a choice</source>
        <translation>权衡选择</translation>
    </message>
    <message>
        <source>Compare these options and recommend one:

</source>
        <translation>请比较这些选项并推荐一个：

</translation>
    </message>
</context>
<context>
    <name>HappeningCard</name>
    <message>
        <source>What happens</source>
        <translation>会发生什么</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Tokens freed</source>
        <translation>腾出 Token</translation>
    </message>
</context>
<context>
    <name>HeadCard</name>
    <message>
        <source>&lt;b&gt;{used}&lt;/b&gt; tokens, window unknown</source>
        <translation>&lt;b&gt;{used}&lt;/b&gt; Token，窗口未知</translation>
    </message>
    <message>
        <source>&lt;b&gt;{used}&lt;/b&gt; of {window}</source>
        <translation>&lt;b&gt;{used}&lt;/b&gt; / {window}</translation>
    </message>
    <message>
        <source>Window: {source}</source>
        <translation>窗口：{source}</translation>
    </message>
    <message>
        <source>As the provider reported it: everything the model read, cached or not</source>
        <translation>按服务商的报告：模型读取的全部内容，无论是否来自缓存</translation>
    </message>
    <message>
        <source>Compress</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Make room now; nothing is lost</source>
        <translation>现在腾出空间；不会丢失任何内容</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Set the window…</source>
        <translation>设置窗口…</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
    <message>
        <source>Back to “{title}”</source>
        <translation>返回“{title}”</translation>
    </message>
    <message>
        <source>Back to the chat for which it works: {title}</source>
        <translation>返回它所服务的对话：{title}</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>Choose the model of this chat</source>
        <translation>选择本对话的模型</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>换一个文件夹…</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>打开它</translation>
    </message>
    <message>
        <source>Work in no folder</source>
        <translation>不使用文件夹</translation>
    </message>
    <message>
        <source>The folder this chat works in</source>
        <translation>此对话使用的文件夹</translation>
    </message>
    <message>
        <source>Folder of this chat: {folder}</source>
        <translation>此对话的文件夹：{folder}</translation>
    </message>
    <message>
        <source>{folder}: read and written here, with your leave</source>
        <translation>{folder}：在此读取，并在你许可后写入</translation>
    </message>
    <message>
        <source>Choose a folder for this chat</source>
        <translation>为此对话选择文件夹</translation>
    </message>
    <message>
        <source>Choose a folder: then the model can read in it, and change it with your leave</source>
        <translation>选择一个文件夹：模型可以读取它，并在你许可后修改</translation>
    </message>
</context>
<context>
    <name>HealthPopover</name>
    <message>
        <source>Window unknown</source>
        <translation>窗口未知</translation>
    </message>
    <message>
        <source>{used} used</source>
        <translation>已用 {used}</translation>
    </message>
    <message>
        <source>{used} used · {free} free</source>
        <translation>已用 {used} · 剩余 {free}</translation>
    </message>
    <message>
        <source>Set the window…</source>
        <translation>设置窗口…</translation>
    </message>
    <message>
        <source>Compress</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Preview…</source>
        <translation>预览…</translation>
    </message>
    <message>
        <source>Preview what compressing would do</source>
        <translation>预览压缩的效果</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Show all figures</source>
        <translation>查看全部数据</translation>
    </message>
</context>
<context>
    <name>HealthRoom</name>
    <message>
        <source>Health</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>Show or hide the health panel</source>
        <translation>显示或隐藏健康面板</translation>
    </message>
</context>
<context>
    <name>HealthWords</name>
    <message>
        <source>window unknown · set…</source>
        <translation>窗口未知 · 设置…</translation>
    </message>
    <message>
        <source>{percent} % · {used} / {window}</source>
        <translation>{percent}% · {used} / {window}</translation>
    </message>
    <message numerus="yes">
        <source>≈ %n turn(s) left</source>
        <translation>
            <numerusform>约剩 %n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>Last request: {n}</source>
        <translation>上次请求：{n}</translation>
    </message>
    <message>
        <source>+{n} / turn</source>
        <translation>每轮 +{n}</translation>
    </message>
    <message>
        <source>Go on in a new chat with a summary, your constraints and the newest messages</source>
        <translation>在新对话中继续，带上摘要、你的约束和最新消息</translation>
    </message>
    <message>
        <source>you set it</source>
        <translation>由你设定</translation>
    </message>
    <message>
        <source>the server says so</source>
        <translation>服务器提供</translation>
    </message>
    <message>
        <source>model registry</source>
        <translation>模型登记表</translation>
    </message>
    <message>
        <source>learned from an error</source>
        <translation>从错误中得知</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation>估计值</translation>
    </message>
    <message>
        <source>Context {used} thousand tokens, window unknown</source>
        <translation>上下文 {used} 千 Token，窗口未知</translation>
    </message>
    <message>
        <source>Context {percent} percent, {used} of {window} thousand tokens</source>
        <translation>上下文 {percent}%，{window} 千 Token 中的 {used} 千</translation>
    </message>
    <message>
        <source>{name}, estimated</source>
        <translation>{name}，估计值</translation>
    </message>
    <message>
        <source>inactive</source>
        <translation>未启用</translation>
    </message>
    <message>
        <source>healthy</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>危急</translation>
    </message>
</context>
<context>
    <name>HookCard</name>
    <message>
        <source>This command would run on your computer with your rights, in every chat, and is told what is said there. Turn it on only if you know what it does.</source>
        <translation>此命令将以你的权限在你的电脑上、在每个对话中运行，并会得知那里所说的内容。只有清楚它做什么时才启用。</translation>
    </message>
    <message>
        <source>Turn it on</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>Leave it off</source>
        <translation>保持关闭</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Remove it?</source>
        <translation>移除它？</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>{command} is on</source>
        <translation>{command} 已启用</translation>
    </message>
    <message>
        <source>Tried: it had not ended after {s} s, and was ended</source>
        <translation>试运行：{s} 秒后仍未结束，已被终止</translation>
    </message>
    <message>
        <source>Tried: it could not be started</source>
        <translation>试运行：无法启动</translation>
    </message>
    <message>
        <source>Tried: it ended well after {s} s</source>
        <translation>试运行：{s} 秒后正常结束</translation>
    </message>
    <message>
        <source>Tried: it would refuse the call, after {s} s</source>
        <translation>试运行：{s} 秒后，它会拒绝该调用</translation>
    </message>
    <message>
        <source>Tried: it ended with exit code {code} after {s} s; a turn goes on all the same</source>
        <translation>试运行：{s} 秒后以退出码 {code} 结束；对话仍会继续</translation>
    </message>
</context>
<context>
    <name>HookFormView</name>
    <message>
        <source>When</source>
        <translation>时机</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Patience in seconds</source>
        <translation>等待秒数</translation>
    </message>
    <message>
        <source>It is run by sh in the chat&apos;s folder, with what happened as JSON on its standard input. What it prints is told to the model; before a tool, exit code 2 refuses the call.</source>
        <translation>由 sh 在对话的文件夹中运行，所发生的事以 JSON 写入标准输入。其输出会告知模型；在使用工具之前，退出码 2 表示拒绝该调用。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Add a hook</source>
        <translation>添加钩子</translation>
    </message>
    <message>
        <source>Edit the hook</source>
        <translation>编辑钩子</translation>
    </message>
    <message>
        <source>It needs a command.</source>
        <translation>需要填写命令。</translation>
    </message>
    <message>
        <source>More than 0 seconds, at most 600.</source>
        <translation>大于 0 秒，至多 600 秒。</translation>
    </message>
</context>
<context>
    <name>HooksPage</name>
    <message>
        <source>Hooks</source>
        <translation>钩子</translation>
    </message>
    <message>
        <source>Commands of yours that are run when something happens in a turn. None is on before you turn it on; one that fails is told in the chat, and the turn goes on.</source>
        <translation>你自己的命令，在一轮对话中发生某事时运行。未经你启用，任何命令都不会运行；失败会在对话中说明，对话仍会继续。</translation>
    </message>
    <message>
        <source>Add a hook</source>
        <translation>添加钩子</translation>
    </message>
    <message>
        <source>There are none yet.</source>
        <translation>还没有钩子。</translation>
    </message>
    <message>
        <source>script, event, command, automation</source>
        <translation>脚本，事件，命令，自动化</translation>
    </message>
    <message>
        <source>Before a message is sent</source>
        <translation>发送消息之前</translation>
    </message>
    <message>
        <source>After an answer</source>
        <translation>回答之后</translation>
    </message>
    <message>
        <source>Before a tool is used</source>
        <translation>使用工具之前</translation>
    </message>
    <message>
        <source>After a tool was used</source>
        <translation>使用工具之后</translation>
    </message>
    <message>
        <source>After a compression</source>
        <translation>压缩之后</translation>
    </message>
</context>
<context>
    <name>ImportReport</name>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported</source>
        <translation>
            <numerusform>已导入 %n 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>What became of the files</source>
        <translation>各文件的导入结果</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ImportWords</name>
    <message numerus="yes">
        <source>%n chat(s) imported.</source>
        <translation>
            <numerusform>已导入 %n 个对话。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) imported.</source>
        <translation>
            <numerusform>已导入 %n 条消息。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) are here already.</source>
        <translation>
            <numerusform>%n 个对话已经在这里。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were left out.</source>
        <translation>
            <numerusform>%n 个对话被略过。</numerusform>
        </translation>
    </message>
    <message>
        <source>The import was cancelled; what had come in stays.</source>
        <translation>导入已取消；已导入的内容保留。</translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) could not be read in full:</source>
        <translation>
            <numerusform>%n 处未能完整读取：</numerusform>
        </translation>
    </message>
    <message>
        <source>Message {n} is not a message and was left out.</source>
        <translation>第 {n} 条不是消息，已略过。</translation>
    </message>
    <message>
        <source>Message {n} has the role {detail!r}, which nobody knows, and was left out.</source>
        <translation>第 {n} 条消息的角色 {detail!r} 无法识别，已略过。</translation>
    </message>
    <message>
        <source>A tool call in message {n} could not be read; it is kept as it is.</source>
        <translation>第 {n} 条消息中有一个工具调用无法读取，已按原样保留。</translation>
    </message>
    <message>
        <source>A picture in message {n} could not be read; it is kept as it is.</source>
        <translation>第 {n} 条消息中有一张图片无法读取，已按原样保留。</translation>
    </message>
    <message>
        <source>The file is not valid UTF-8; what could not be read shows as �.</source>
        <translation>文件不是有效的 UTF-8；无法读取之处显示为 �。</translation>
    </message>
    <message>
        <source>The chat {detail!r} holds no message and was left out.</source>
        <translation>对话 {detail!r} 没有任何消息，已略过。</translation>
    </message>
    <message>
        <source>Chat {n} of the file could not be read and was left out.</source>
        <translation>文件中的第 {n} 个对话无法读取，已略过。</translation>
    </message>
    <message>
        <source>{n} lines of the file could not be read and were left out.</source>
        <translation>文件中有 {n} 行无法读取，已略过。</translation>
    </message>
    <message>
        <source>The file can&apos;t be read to its end; what stands before that was taken.</source>
        <translation>文件无法读到末尾；在此之前的内容已导入。</translation>
    </message>
    <message>
        <source>The file {detail!r}, which message {n} refers to, is not in the export.</source>
        <translation>第 {n} 条消息引用的文件 {detail!r} 不在导出中。</translation>
    </message>
</context>
<context>
    <name>Importing</name>
    <message>
        <source>Import chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>Conversations ({endings})</source>
        <translation>对话 ({endings})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Importing {file}</source>
        <translation>正在导入 {file}</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>Import again</source>
        <translation>再次导入</translation>
    </message>
</context>
<context>
    <name>JsonView</name>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
</context>
<context>
    <name>KeepingLine</name>
    <message>
        <source>Passphrase</source>
        <translation>口令</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>A new file; the keys in the old one are lost</source>
        <translation>新建文件；旧文件中的密钥将丢失</translation>
    </message>
    <message>
        <source>Ask the keyring again</source>
        <translation>再次询问密钥环</translation>
    </message>
    <message>
        <source>The system&apos;s keyring is locked.</source>
        <translation>系统密钥环已锁定。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring does not answer.</source>
        <translation>系统密钥环没有回应。</translation>
    </message>
    <message>
        <source>The system&apos;s keyring failed.</source>
        <translation>系统密钥环出错。</translation>
    </message>
    <message>
        <source>This system has no keyring.</source>
        <translation>本系统没有密钥环。</translation>
    </message>
    <message>
        <source>Keys are kept in an encrypted file.</source>
        <translation>密钥保存在加密文件中。</translation>
    </message>
    <message>
        <source>Keys lie in an encrypted file; its passphrase opens it.</source>
        <translation>密钥在加密文件中，用口令打开。</translation>
    </message>
    <message>
        <source>Keys last until the program ends, or are kept encrypted under a passphrase.</source>
        <translation>密钥保留到程序结束，或用口令加密保存。</translation>
    </message>
    <message>
        <source>Keep encrypted</source>
        <translation>加密保存</translation>
    </message>
    <message>
        <source>Kept in your system&apos;s keyring.</source>
        <translation>保存在系统密钥环中。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>KeyCard</name>
    <message>
        <source>None needed? Leave it empty</source>
        <translation>不需要？留空即可</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>✓ works · {models}</source>
        <translation>✓ 可用 · {models}</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Where do I get one?</source>
        <translation>在哪里获取？</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>{tip} ({keys})</source>
        <translation>{tip}（{keys}）</translation>
    </message>
</context>
<context>
    <name>LaidDownDialog</name>
    <message>
        <source>Summaries and ledger</source>
        <translation>摘要与约定</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>约定</translation>
    </message>
    <message>
        <source>Add a line …</source>
        <translation>添加一条…</translation>
    </message>
    <message>
        <source>This chat has no summary yet. A compression that needs room writes one.</source>
        <translation>这个对话还没有摘要。需要空间的压缩会写一份。</translation>
    </message>
    <message>
        <source>The ledger is sent with the next compression; a change of it breaks no cache.</source>
        <translation>约定随下一次压缩发送；改动它不会使缓存失效。</translation>
    </message>
    <message>
        <source>Your constraints and decisions will stand here, word for word.</source>
        <translation>你的约束和决定会逐字放在这里。</translation>
    </message>
    <message>
        <source>Kind of the line</source>
        <translation>条目的类别</translation>
    </message>
    <message>
        <source>Constraint</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
</context>
<context>
    <name>LanguagePage</name>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Changes at once</source>
        <translation>立即生效</translation>
    </message>
    <message>
        <source>Of instructions to models</source>
        <translation>给模型的指示</translation>
    </message>
    <message>
        <source>As the window</source>
        <translation>跟随界面</translation>
    </message>
    <message>
        <source>Fixed with a chat&apos;s first message. What a model answers in follows what you write.</source>
        <translation>随对话的第一条消息确定。模型用什么语言回答，取决于你写什么。</translation>
    </message>
</context>
<context>
    <name>LedgerRow</name>
    <message>
        <source>Go to where it was said</source>
        <translation>转到出处</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>LensPage</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>透镜</translation>
    </message>
    <message>
        <source>What the model sees</source>
        <translation>模型看到的内容</translation>
    </message>
</context>
<context>
    <name>LensView</name>
    <message>
        <source>Context Lens</source>
        <translation>上下文透镜</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>What the model sees, from its first words to the newest</source>
        <translation>模型看到的内容，从最早到最新</translation>
    </message>
    <message>
        <source>Which request</source>
        <translation>哪一次请求</translation>
    </message>
    <message>
        <source>The request before</source>
        <translation>上一次请求</translation>
    </message>
    <message>
        <source>The next request</source>
        <translation>下一次请求</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>The whole request, as its provider gets it</source>
        <translation>完整的请求，与服务商收到的一致</translation>
    </message>
    <message>
        <source>Jump to message</source>
        <translation>跳到消息</translation>
    </message>
    <message>
        <source>▨ hatched: served from cache</source>
        <translation>▨ 斜线：来自缓存</translation>
    </message>
    <message>
        <source>pale: folded, the original is kept</source>
        <translation>浅色：已折叠，原文保留</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
</context>
<context>
    <name>LensWords</name>
    <message>
        <source>Request {n} of {of}</source>
        <translation>请求 {n}/{of}</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>exactly what the model will see on the next turn</source>
        <translation>模型在下一轮将看到的全部内容</translation>
    </message>
    <message>
        <source>turn {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>{percent} % likely served from cache</source>
        <translation>{percent}% 可能来自缓存</translation>
    </message>
    <message>
        <source>{percent} % served from cache</source>
        <translation>{percent}% 来自缓存</translation>
    </message>
    <message>
        <source>The original</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>What the model sees</source>
        <translation>模型看到的内容</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>its beginning is shown</source>
        <translation>显示其开头</translation>
    </message>
    <message>
        <source>Put back (+{n})</source>
        <translation>放回 (+{n})</translation>
    </message>
    <message>
        <source>It is shown as it was said.</source>
        <translation>按原样显示。</translation>
    </message>
    <message>
        <source>Turn {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>before it was first sent</source>
        <translation>首次发送之前</translation>
    </message>
    <message>
        <source>at {percent} % of the window</source>
        <translation>在窗口的 {percent}% 处</translation>
    </message>
    <message>
        <source>room was made before a request</source>
        <translation>请求之前腾出了空间</translation>
    </message>
    <message>
        <source>room was made between turns</source>
        <translation>轮次之间腾出了空间</translation>
    </message>
    <message>
        <source>you asked for room</source>
        <translation>你要求腾出空间</translation>
    </message>
    <message>
        <source>the window was nearly full</source>
        <translation>窗口几乎已满</translation>
    </message>
    <message>
        <source>you put it back</source>
        <translation>你放回了它</translation>
    </message>
    <message>
        <source>Step: {step}</source>
        <translation>步骤：{step}</translation>
    </message>
    <message>
        <source>{n} of {of} candidates folded</source>
        <translation>{of} 个候选中折叠了 {n} 个</translation>
    </message>
    <message numerus="yes">
        <source>Read again %n time(s) since</source>
        <translation>
            <numerusform>此后又读取了 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Not read again since</source>
        <translation>此后没有再读取</translation>
    </message>
</context>
<context>
    <name>Lines</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {text}</source>
        <translation>移除 {text}</translation>
    </message>
</context>
<context>
    <name>LinesView</name>
    <message>
        <source>The model read lines {first}–{last}</source>
        <translation>模型读过第 {first}–{last} 行</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>McpPage</name>
    <message>
        <source>MCP servers</source>
        <translation>MCP 服务器</translation>
    </message>
    <message>
        <source>Programs and addresses that bring tools of their own. Nothing starts before you allow it.</source>
        <translation>自带工具的程序和地址。未经你允许，什么都不会启动。</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Import JSON</source>
        <translation>导入 JSON</translation>
    </message>
    <message>
        <source>JSON of servers</source>
        <translation>服务器的 JSON</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>As other programs keep them, under “mcpServers”.</source>
        <translation>与其他程序的保存格式相同，位于“mcpServers”之下。</translation>
    </message>
    <message>
        <source>tools, server, JSON, command</source>
        <translation>工具、服务器、JSON、命令</translation>
    </message>
</context>
<context>
    <name>MediaDialog</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Copy the selection</source>
        <translation>复制所选内容</translation>
    </message>
    <message>
        <source>Copy as plain text</source>
        <translation>复制为纯文本</translation>
    </message>
    <message>
        <source>Copy with formatting</source>
        <translation>复制（保留格式）</translation>
    </message>
    <message>
        <source>Retry with another model…</source>
        <translation>换一个模型重试…</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin: never fold it</source>
        <translation>固定：永不折叠</translation>
    </message>
    <message>
        <source>Details…</source>
        <translation>详情…</translation>
    </message>
</context>
<context>
    <name>Minimap</name>
    <message>
        <source>What fills the context, from its first words to the newest</source>
        <translation>上下文中的内容，从最早到最新</translation>
    </message>
</context>
<context>
    <name>ModeField</name>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Off: nothing is sent that you did not ask for.</source>
        <translation>关闭：不发送任何你没有要求的内容。</translation>
    </message>
    <message>
        <source>Smart</source>
        <translation>智能</translation>
    </message>
    <message>
        <source>Smart: while probes cost less than a lost cache would.</source>
        <translation>智能：只要探测比失去缓存更便宜就发送。</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>Always: as long as you are there, up to the limit.</source>
        <translation>始终：只要你在，就一直发送，直到上限。</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Providers and models …</source>
        <translation>服务商与模型…</translation>
    </message>
    <message>
        <source>No model has these words in its name.</source>
        <translation>没有名称含这些字词的模型。</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Looking at what would become of this chat …</source>
        <translation>正在查看这个对话会怎样…</translation>
    </message>
</context>
<context>
    <name>ModelTable</name>
    <message>
        <source>US dollars per million tokens</source>
        <translation>美元 / 百万 Token</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>服务商</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>$ in</source>
        <translation>$ 输入</translation>
    </message>
    <message>
        <source>$ out</source>
        <translation>$ 输出</translation>
    </message>
    <message>
        <source>$ cached</source>
        <translation>$ 缓存</translation>
    </message>
    <message>
        <source>Abilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>window unknown · set…</source>
        <translation>窗口未知 · 设置…</translation>
    </message>
    <message>
        <source>you set it</source>
        <translation>由你设定</translation>
    </message>
    <message>
        <source>the server says so</source>
        <translation>服务器提供</translation>
    </message>
    <message>
        <source>model registry</source>
        <translation>模型登记表</translation>
    </message>
    <message>
        <source>learned from an error</source>
        <translation>从错误中得知</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>{tokens} tokens · {source}</source>
        <translation>{tokens} Token · {source}</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>price, window, abilities, default model</source>
        <translation>价格、窗口、能力、默认模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Nothing here needs changing. Windows and prices follow from the model.</source>
        <translation>这里无须改动。窗口和价格由模型决定。</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>When a model fails</source>
        <translation>模型失败时</translation>
    </message>
    <message>
        <source>Before its first word, these are asked in this order</source>
        <translation>若在给出第一个字之前失败，依次改问这些模型</translation>
    </message>
    <message>
        <source>Choose a model above</source>
        <translation>请在上面选择模型</translation>
    </message>
    <message>
        <source>None chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Asking the providers…</source>
        <translation>正在询问服务商…</translation>
    </message>
    <message>
        <source>No provider is set up.</source>
        <translation>尚未设置服务商。</translation>
    </message>
    <message>
        <source>No model has these words in its name.</source>
        <translation>没有名称含这些字的模型。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Use the chosen one</source>
        <translation>使用所选模型</translation>
    </message>
    <message>
        <source>Default model</source>
        <translation>默认模型</translation>
    </message>
    <message>
        <source>For new chats</source>
        <translation>用于新对话</translation>
    </message>
    <message>
        <source>Use the chosen one for small work</source>
        <translation>让所选模型做小事</translation>
    </message>
    <message>
        <source>For small work</source>
        <translation>小事用的模型</translation>
    </message>
    <message>
        <source>Titles and summaries; automatic: the cheapest of the same provider</source>
        <translation>标题与摘要；自动：同一服务商中最便宜的</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Window in tokens</source>
        <translation>窗口（Token）</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设定</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Of the model chosen above; empty: as the provider says</source>
        <translation>上面所选模型的窗口；留空：以服务商为准</translation>
    </message>
    <message>
        <source>Reset this page</source>
        <translation>重置本页</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Something went wrong in Palimpsest</source>
        <translation>Palimpsest 出错了</translation>
    </message>
    <message>
        <source>This is a fault of the program. What you wrote is kept.</source>
        <translation>这是程序的错误。你写的内容已保留。</translation>
    </message>
    <message>
        <source>A report helps to mend it; it holds no messages and no keys.</source>
        <translation>报告有助于修复；其中不含消息和密钥。</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Provider settings</source>
        <translation>服务商设置</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>换模型</translation>
    </message>
    <message>
        <source>Compress</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>No connection</source>
        <translation>无连接</translation>
    </message>
    <message>
        <source>Broken off</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>No credit</source>
        <translation>余额不足</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>服务商</translation>
    </message>
    <message>
        <source>Too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>约定</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Saved chats</source>
        <translation>已存对话</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation>未能完成</translation>
    </message>
</context>
<context>
    <name>OfflineBar</name>
    <message>
        <source>This computer is offline. Models on it go on working.</source>
        <translation>本机已离线。本机上的模型仍可使用。</translation>
    </message>
</context>
<context>
    <name>OnboardingView</name>
    <message>
        <source>System language</source>
        <translation>系统语言</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>系统主题</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Looking for servers on this computer…</source>
        <translation>正在本机查找服务器…</translation>
    </message>
    <message>
        <source>FOUND ON THIS COMPUTER</source>
        <translation>在本机发现</translation>
    </message>
    <message>
        <source>OR CONNECT A PROVIDER</source>
        <translation>或连接服务商</translation>
    </message>
    <message>
        <source>Long conversations that stay healthy. Nothing is lost.</source>
        <translation>长对话，始终健康。什么都不会丢。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Look at a sample</source>
        <translation>看看示例</translation>
    </message>
    <message>
        <source>A long chat with all its figures; it needs no key and no network</source>
        <translation>一段带有全部数据的长对话；无需密钥和网络</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>Start chatting</source>
        <translation>开始对话</translation>
    </message>
    <message>
        <source>Everything else can wait: it is in the settings.</source>
        <translation>其余可以稍后再说：都在设置里。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Built-in model</source>
        <translation>内置模型</translation>
    </message>
    <message>
        <source>SmolLM2 135M · offline</source>
        <translation>SmolLM2 135M · 离线</translation>
    </message>
    <message>
        <source>Built-in responder</source>
        <translation>内置应答器</translation>
    </message>
    <message>
        <source>no model · offline</source>
        <translation>无模型 · 离线</translation>
    </message>
    <message>
        <source>Any other…</source>
        <translation>其他…</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find chats, messages, commands, settings</source>
        <translation>查找对话、消息、命令、设置</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>Your chats will stand here.</source>
        <translation>你的对话会列在这里。</translation>
    </message>
</context>
<context>
    <name>PasteDialog</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Turn into text</source>
        <translation>转为正文</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Too long to stand in the message as text</source>
        <translation>太长，不能作为正文放在消息里</translation>
    </message>
</context>
<context>
    <name>PlotCard</name>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个 Token</translation>
    </message>
    <message>
        <source>Money</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Tokens of each turn&apos;s last request</source>
        <translation>每轮最后一次请求的 Token</translation>
    </message>
    <message>
        <source>Seconds to the first token, by tokens of the prompt</source>
        <translation>首个 Token 的秒数，按提示的 Token 数</translation>
    </message>
    <message>
        <source>Money per turn; lighter: read from the cache</source>
        <translation>每轮费用；浅色：读自缓存</translation>
    </message>
    <message>
        <source>How large each turn&apos;s request was will be drawn here, and where it was compressed.</source>
        <translation>每轮请求的大小，以及在哪里压缩过，会画在这里。</translation>
    </message>
    <message>
        <source>How long first tokens took, by the size of the prompt, will be drawn here.</source>
        <translation>首个 Token 的等待时间与提示大小的关系，会画在这里。</translation>
    </message>
    <message>
        <source>What each turn cost will be drawn here, where prices are known.</source>
        <translation>在价格已知时，每轮的花费会画在这里。</translation>
    </message>
    <message>
        <source>Turn {turn}: {n} tokens</source>
        <translation>第 {turn} 轮：{n} Token</translation>
    </message>
    <message>
        <source>Turn {turn}: {s} s at {n} tokens, {fresh} not cached</source>
        <translation>第 {turn} 轮：{n} Token 用时 {s} 秒，{fresh} 未缓存</translation>
    </message>
    <message>
        <source>Turn {turn}: {usd}, {cached} of it read from the cache</source>
        <translation>第 {turn} 轮：{usd}，其中 {cached} 读自缓存</translation>
    </message>
    <message>
        <source>{told}; in part unknown</source>
        <translation>{told}；部分未知</translation>
    </message>
    <message>
        <source>compressed before it: {before} → {after}</source>
        <translation>此前压缩：{before} → {after}</translation>
    </message>
</context>
<context>
    <name>PreviewDialog</name>
    <message>
        <source>Compress all the same</source>
        <translation>仍然压缩</translation>
    </message>
    <message>
        <source>Compress now</source>
        <translation>立即压缩</translation>
    </message>
    <message>
        <source>Preview — nothing has changed yet</source>
        <translation>预览 — 尚未做任何更改</translation>
    </message>
    <message>
        <source>Originals stay on this computer. You can put any of them back, or undo the whole compression, at any time.</source>
        <translation>原文留在这台电脑上。你随时可以放回其中任何一条，或撤销整次压缩。</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Aim at</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>How many tokens shall be left</source>
        <translation>要留下多少 Token</translation>
    </message>
    <message>
        <source>Keep in focus:</source>
        <translation>重点保留：</translation>
    </message>
    <message>
        <source>What goes last, as: rounding rules and the failing tests</source>
        <translation>最后才折叠的内容，例如：舍入规则和失败的测试</translation>
    </message>
    <message>
        <source>What to keep in focus</source>
        <translation>重点保留的内容</translation>
    </message>
    <message>
        <source>Write the summary now</source>
        <translation>现在就写摘要</translation>
    </message>
    <message>
        <source>A model writes it, and you see the real figures before you decide</source>
        <translation>由模型写出，你在决定之前看到真实的数字</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>PreviewWords</name>
    <message>
        <source>Compress “{chat}”</source>
        <translation>压缩“{chat}”</translation>
    </message>
    <message>
        <source>Compress this chat</source>
        <translation>压缩此对话</translation>
    </message>
    <message>
        <source>Looking</source>
        <translation>正在查看</translation>
    </message>
    <message>
        <source>Writing the summary</source>
        <translation>正在写摘要</translation>
    </message>
    <message>
        <source>{what}, {s} s</source>
        <translation>{what}，{s} 秒</translation>
    </message>
    <message>
        <source>Nothing can be folded that would make these {n} tokens fewer.</source>
        <translation>没有可以折叠的内容能让这 {n} Token 变少。</translation>
    </message>
    <message>
        <source>Only {n} of {before} tokens would be freed ({percent} %).</source>
        <translation>{before} Token 中只会腾出 {n}（{percent}%）。</translation>
    </message>
    <message>
        <source>Old reasoning left out</source>
        <translation>略去旧的思考过程</translation>
    </message>
    <message>
        <source>its address stays</source>
        <translation>保留其地址</translation>
    </message>
    <message>
        <source>Pictures further back left out</source>
        <translation>略去较早的图片</translation>
    </message>
    <message>
        <source>name and address stay</source>
        <translation>保留名称和地址</translation>
    </message>
    <message>
        <source>Long texts shortened</source>
        <translation>缩短长文本</translation>
    </message>
    <message>
        <source>the lines that say most stay</source>
        <translation>保留信息最多的行</translation>
    </message>
    <message>
        <source>Tool results filtered</source>
        <translation>过滤工具结果</translation>
    </message>
    <message>
        <source>errors, head and tail stay</source>
        <translation>保留错误、开头和结尾</translation>
    </message>
    <message>
        <source>Results moved to the vault</source>
        <translation>结果移入保险库</translation>
    </message>
    <message>
        <source>a line with the address stays</source>
        <translation>保留一行地址</translation>
    </message>
    <message>
        <source>Repeated texts merged</source>
        <translation>合并重复文本</translation>
    </message>
    <message>
        <source>the newest copy stays</source>
        <translation>保留最新的一份</translation>
    </message>
    <message>
        <source>Oldest messages summarised</source>
        <translation>为最早的消息写摘要</translation>
    </message>
    <message>
        <source>a summary in fourteen fields</source>
        <translation>十四个字段的摘要</translation>
    </message>
    <message>
        <source>Finished work told in brief</source>
        <translation>简述已完成的工作</translation>
    </message>
    <message>
        <source>a few lines and the address stay</source>
        <translation>保留几行和地址</translation>
    </message>
    <message>
        <source>Shown whole</source>
        <translation>完整显示</translation>
    </message>
    <message>
        <source>as it was said</source>
        <translation>按原样</translation>
    </message>
    <message>
        <source>Your first message</source>
        <translation>你的第一条消息</translation>
    </message>
    <message numerus="yes">
        <source>%n pinned message(s)</source>
        <translation>
            <numerusform>%n 条固定的消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other recent message(s) of yours</source>
        <translation>
            <numerusform>你最近的另外 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Last to go: {names}</source>
        <translation>最后才折叠：{names}</translation>
    </message>
    <message>
        <source>Last to go: failed calls of {names}</source>
        <translation>最后才折叠：{names} 的失败调用</translation>
    </message>
    <message numerus="yes">
        <source>The last %n message(s)</source>
        <translation>
            <numerusform>最后 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>{percent} % of the window</source>
        <translation>占窗口的 {percent}%</translation>
    </message>
    <message>
        <source>{what} ({part})</source>
        <translation>{what}（{part}）</translation>
    </message>
    <message>
        <source>never</source>
        <translation>永不</translation>
    </message>
    <message numerus="yes">
        <source>after %n turn(s)</source>
        <translation>
            <numerusform>%n 轮之后</numerusform>
        </translation>
    </message>
    <message>
        <source>at once</source>
        <translation>立刻</translation>
    </message>
    <message>
        <source>Rewriting the cache</source>
        <translation>重写缓存</translation>
    </message>
    <message>
        <source>Saved per turn</source>
        <translation>每轮节省</translation>
    </message>
    <message>
        <source>Pays back</source>
        <translation>回本</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>≥ {n} of {of}</source>
        <translation>≥ {n}/{of}</translation>
    </message>
    <message>
        <source>{n} of {of}</source>
        <translation>{n}/{of}</translation>
    </message>
    <message>
        <source>in the context</source>
        <translation>在上下文中</translation>
    </message>
    <message>
        <source>in the transcript only</source>
        <translation>只在对话记录中</translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message>
        <source>telemetry, tracking, hosts, links</source>
        <translation>遥测、跟踪、主机、链接</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>What you write goes to the provider of the chat&apos;s model, and to nobody else. There is no account and no telemetry, and nothing is looked up unless you set it up.</source>
        <translation>你写的内容只发给对话所用模型的服务商，不给其他任何人。没有账号，没有遥测；未经你设定，什么都不会去查。</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>In one folder of this computer, for you alone to read</source>
        <translation>在这台电脑的一个文件夹里，只有你能读取</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>In the system&apos;s keyring, or encrypted in a file; never in logs or exports</source>
        <translation>在系统钥匙串中，或加密存于文件；从不进入日志和导出</translation>
    </message>
    <message>
        <source>Images in answers</source>
        <translation>回答中的图片</translation>
    </message>
    <message>
        <source>Never fetched by themselves</source>
        <translation>从不自动获取</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>Links that open</source>
        <translation>直接打开的链接</translation>
    </message>
    <message>
        <source>Without a question, at these hosts</source>
        <translation>这些主机上的链接不再询问</translation>
    </message>
</context>
<context>
    <name>ProblemWords</name>
    <message>
        <source>At least {limit}.</source>
        <translation>至少 {limit}。</translation>
    </message>
    <message>
        <source>At most {limit}.</source>
        <translation>至多 {limit}。</translation>
    </message>
    <message>
        <source>A whole number, please.</source>
        <translation>请输入整数。</translation>
    </message>
    <message>
        <source>A number, please.</source>
        <translation>请填一个数字。</translation>
    </message>
    <message>
        <source>An address looks like https://host/v1.</source>
        <translation>地址形如 https://host/v1。</translation>
    </message>
    <message>
        <source>It needs a name.</source>
        <translation>需要名称。</translation>
    </message>
    <message>
        <source>It needs an address.</source>
        <translation>需要地址。</translation>
    </message>
    <message>
        <source>One header per line, as Name: value.</source>
        <translation>每行一个请求头，形如 名称: 值。</translation>
    </message>
    <message>
        <source>A proxy starts with http://, https:// or socks5://.</source>
        <translation>代理须以 http://、https:// 或 socks5:// 开头。</translation>
    </message>
    <message>
        <source>This model is in the list already.</source>
        <translation>列表中已有此模型。</translation>
    </message>
    <message>
        <source>This is the default model: it is asked first anyway.</source>
        <translation>这是默认模型：本来就会最先询问。</translation>
    </message>
    <message>
        <source>This value cannot be used.</source>
        <translation>该值不可用。</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What stands as {{variable}} is filled in when the prompt is used; Tab goes to the next.</source>
        <translation>写作 {{变量}} 的部分在使用提示词时填写；按 Tab 跳到下一个。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Edit the prompt</source>
        <translation>编辑提示词</translation>
    </message>
    <message>
        <source>Add a prompt</source>
        <translation>添加提示词</translation>
    </message>
</context>
<context>
    <name>PromptsPage</name>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Words that you keep. In a message, / and the name puts them in.</source>
        <translation>你保存的文字。在消息中输入 / 和名称即可插入。</translation>
    </message>
    <message>
        <source>Add a prompt</source>
        <translation>添加提示词</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>There are none yet.</source>
        <translation>还没有。</translation>
    </message>
    <message>
        <source>template, snippet, variable</source>
        <translation>模板、片段、变量</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>A name has 1 to 40 characters, no blanks and no /.</source>
        <translation>名称为 1 到 40 个字符，不含空格和 /。</translation>
    </message>
    <message>
        <source>There is a prompt of this name already.</source>
        <translation>已有同名的提示词。</translation>
    </message>
    <message>
        <source>It needs words.</source>
        <translation>需要填写内容。</translation>
    </message>
</context>
<context>
    <name>ProviderWords</name>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>✓ works · {models} · {ms} ms</source>
        <translation>✓ 可用 · {models} · {ms} 毫秒</translation>
    </message>
</context>
<context>
    <name>ProvidersPage</name>
    <message>
        <source>Providers</source>
        <translation>服务商</translation>
    </message>
    <message>
        <source>Where models come from. Keys stay on this computer.</source>
        <translation>模型的来源。密钥留在本机。</translation>
    </message>
    <message>
        <source>FOUND ON THIS COMPUTER</source>
        <translation>在本机发现</translation>
    </message>
    <message>
        <source>ADD A PROVIDER</source>
        <translation>添加服务商</translation>
    </message>
    <message>
        <source>API key, address, proxy, CA file, extra headers</source>
        <translation>API 密钥、地址、代理、CA 文件、附加请求头</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Any other…</source>
        <translation>其他…</translation>
    </message>
</context>
<context>
    <name>PruningWords</name>
    <message>
        <source>Pruning</source>
        <translation>修剪</translation>
    </message>
    <message>
        <source>Nothing was shortened yet. Long texts that leave the context will be counted here.</source>
        <translation>还没有缩短过内容。离开上下文的长文本会计在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%n artifact(s)</source>
        <translation>
            <numerusform>%n 份原文</numerusform>
        </translation>
    </message>
    <message>
        <source>Signal</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>The first thing there is to say of pruning</source>
        <translation>关于修剪首先要说的</translation>
    </message>
    <message>
        <source>In the vault</source>
        <translation>在保管库中</translation>
    </message>
    <message>
        <source>Originals that requests name instead of saying them, and their size</source>
        <translation>请求只引用而不带全文的原文，及其大小</translation>
    </message>
    <message>
        <source>Return on pruning</source>
        <translation>修剪回报</translation>
    </message>
    <message>
        <source>Saved tokens ÷ (restored + rewritten at the price of writing to the cache)</source>
        <translation>节省的 Token ÷（恢复的 + 按写缓存价格计的重写 Token）</translation>
    </message>
    <message>
        <source>Saved (net)</source>
        <translation>节省（净）</translation>
    </message>
    <message>
        <source>Tokens each request has less by what is left out; net of what was restored</source>
        <translation>因省略而使每次请求少带的 Token；括号内扣除了恢复的</translation>
    </message>
    <message>
        <source>Back-off</source>
        <translation>退避</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Why pruning by itself holds back</source>
        <translation>自动修剪为何暂缓</translation>
    </message>
    <message>
        <source>Written · reused</source>
        <translation>写入 · 复用</translation>
    </message>
    <message>
        <source>Long texts stored in the vault, and those that lay there already, byte for byte</source>
        <translation>存入保管库的长文本，以及其中逐字节已存在的</translation>
    </message>
    <message>
        <source>Shortened · replaced</source>
        <translation>缩短 · 替换</translation>
    </message>
    <message>
        <source>Texts that keep their telling lines, and those that an address stands for</source>
        <translation>保留关键行的文本，以及由地址代替的文本</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Texts that the vault did not take; they stay</source>
        <translation>保管库未能收下的文本；它们留在原处</translation>
    </message>
    <message>
        <source>Deferred</source>
        <translation>推迟</translation>
    </message>
    <message>
        <source>Results that stay whole although room is wanted, by reason</source>
        <translation>虽需空间仍保持完整的结果，按原因</translation>
    </message>
    <message>
        <source>Restores</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>{asked} asked · {allowed} allowed · {refused} refused</source>
        <translation>请求 {asked} · 允许 {allowed} · 拒绝 {refused}</translation>
    </message>
    <message>
        <source>Calls of the model for an original</source>
        <translation>模型对原文的请求</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>Tokens that were read again or put back</source>
        <translation>重读或放回的 Token</translation>
    </message>
    <message>
        <source>Restore cost</source>
        <translation>恢复成本</translation>
    </message>
    <message>
        <source>Restored ÷ saved tokens; from 50 % on it did not pay</source>
        <translation>恢复 ÷ 节省的 Token；达到 50% 就不划算</translation>
    </message>
    <message>
        <source>Rewritten</source>
        <translation>重写</translation>
    </message>
    <message>
        <source>Tokens the cache had held and that were read anew after a compression</source>
        <translation>缓存原有、压缩后又重新读取的 Token</translation>
    </message>
    <message>
        <source>Re-fetch ratio</source>
        <translation>重取比</translation>
    </message>
    <message>
        <source>Calls for originals ÷ texts that were shortened or replaced</source>
        <translation>对原文的请求 ÷ 缩短或替换的文本</translation>
    </message>
    <message>
        <source>a text was not stored</source>
        <translation>有文本未能存下</translation>
    </message>
    <message>
        <source>a restore was refused</source>
        <translation>有恢复被拒绝</translation>
    </message>
    <message>
        <source>holding back</source>
        <translation>正在退避</translation>
    </message>
    <message>
        <source>restores are costly</source>
        <translation>恢复代价高</translation>
    </message>
    <message>
        <source>pruned while cold</source>
        <translation>已在缓存冷时修剪</translation>
    </message>
    <message>
        <source>held while hot</source>
        <translation>缓存热时等待</translation>
    </message>
    <message>
        <source>some deferred</source>
        <translation>部分推迟</translation>
    </message>
    <message>
        <source>some shortened</source>
        <translation>部分缩短</translation>
    </message>
    <message>
        <source>watching</source>
        <translation>观察中</translation>
    </message>
    <message>
        <source>nothing to do</source>
        <translation>无事可做</translation>
    </message>
    <message>
        <source>much was read again</source>
        <translation>重读过多</translation>
    </message>
    <message>
        <source>the last two saved little</source>
        <translation>最近两次节省很少</translation>
    </message>
    <message>
        <source>the writer failed lately</source>
        <translation>撰写模型最近失败</translation>
    </message>
    <message>
        <source>{n} hot</source>
        <translation>{n} 缓存中</translation>
    </message>
    <message>
        <source>{n} in focus</source>
        <translation>{n} 焦点</translation>
    </message>
    <message>
        <source>{n} newest</source>
        <translation>{n} 最新</translation>
    </message>
    <message>
        <source>{n} protected</source>
        <translation>{n} 受保护</translation>
    </message>
    <message>
        <source>{n} not stored</source>
        <translation>{n} 未存下</translation>
    </message>
</context>
<context>
    <name>Restoring</name>
    <message>
        <source>Restore the backup of {when}?</source>
        <translation>恢复 {when} 的备份？</translation>
    </message>
    <message>
        <source>The chats will be as they were then. What was said since is not in them any more: the present database is set aside in the data folder, and nothing of it is deleted.</source>
        <translation>对话将恢复到当时的样子，此后的内容不再包含其中；当前的数据库会另存在数据文件夹中，不会删除任何内容。</translation>
    </message>
    <message>
        <source>Chats that were deleted for good stay deleted. Answers that are under way end.</source>
        <translation>已彻底删除的对话不会恢复。正在进行的回答会结束。</translation>
    </message>
    <message>
        <source>The database of the chats is damaged</source>
        <translation>对话数据库已损坏</translation>
    </message>
    <message>
        <source>There is a backup of {when}. Restore it? The damaged file is kept beside it.</source>
        <translation>有一份 {when} 的备份。要恢复吗？损坏的文件会保留在旁边。</translation>
    </message>
    <message>
        <source>Older backups are listed in the settings, under Data.</source>
        <translation>更早的备份列在设置的“数据”页中。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
</context>
<context>
    <name>RoomBar</name>
    <message>
        <source>Next turn folds ≈ {n}</source>
        <translation>下一轮将折叠约 {n}</translation>
    </message>
    <message>
        <source>≈ {n} could be folded; that waits until it pays</source>
        <translation>可折叠约 {n}，待划算时进行</translation>
    </message>
    <message>
        <source>{n}% of the window is used, and nothing will be folded by itself</source>
        <translation>窗口已用 {n}%，不会自动折叠</translation>
    </message>
    <message>
        <source>Compress now</source>
        <translation>立即压缩</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Fork: go on in a new chat</source>
        <translation>分支：在新对话中继续</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message>
        <source>Allow and start</source>
        <translation>允许并启动</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Start anew and test</source>
        <translation>重新启动并测试</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove it and its values?</source>
        <translation>移除它及其保存的值？</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Not allowed yet: this program would run on your computer, with your rights.</source>
        <translation>尚未允许：此程序将以你的权限在你的计算机上运行。</translation>
    </message>
    <message>
        <source>Not allowed yet: this address would be asked, with these headers.</source>
        <translation>尚未允许：将带着这些请求头访问此地址。</translation>
    </message>
    <message>
        <source>{name} is on</source>
        <translation>{name} 已启用</translation>
    </message>
    <message>
        <source>≈ {n} tokens</source>
        <translation>≈ {n} Token</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>等待你的允许</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Ended; it will be started again</source>
        <translation>已结束；将重新启动</translation>
    </message>
    <message>
        <source>Ended too often; it is left alone</source>
        <translation>结束次数过多；不再启动</translation>
    </message>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%n 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>≈ {n} tokens in each request</source>
        <translation>每次请求 ≈ {n} Token</translation>
    </message>
    <message numerus="yes">
        <source>Tested: it was up after {s} s, with %n tool(s).</source>
        <translation>
            <numerusform>测试：{s} 秒后就绪，有 %n 个工具。</numerusform>
        </translation>
    </message>
    <message>
        <source>Tested: it failed after {s} s. {why}</source>
        <translation>测试：{s} 秒后失败。{why}</translation>
    </message>
</context>
<context>
    <name>SessionHealthPanel</name>
    <message>
        <source>What fills the window</source>
        <translation>窗口里有什么</translation>
    </message>
    <message>
        <source>Health of this chat</source>
        <translation>此对话的健康状况</translation>
    </message>
</context>
<context>
    <name>SettingsView</name>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>keyboard, keys, hotkeys</source>
        <translation>键盘、按键、热键</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Choose a command, then press the keys that it shall have.</source>
        <translation>选择一个命令，再按下要给它的键。</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新的按键</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>As at first</source>
        <translation>恢复初始</translation>
    </message>
    <message>
        <source>Take them from it</source>
        <translation>改给当前命令</translation>
    </message>
    <message>
        <source>Key combination</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>also: {command}</source>
        <translation>也是：{command}</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>These keys stay: questions name them.</source>
        <translation>这些键不变：提问时会标出它们。</translation>
    </message>
    <message>
        <source>{keys} belong to “{command}”.</source>
        <translation>{keys} 属于“{command}”。</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
</context>
<context>
    <name>SidebarView</name>
    <message>
        <source>No title holds “{wanted}”.</source>
        <translation>没有标题含“{wanted}”。</translation>
    </message>
    <message>
        <source>Your chats will stand here.</source>
        <translation>你的对话会列在这里。</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search the titles</source>
        <translation>搜索标题</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Markdown, its pictures beside it (*.md)</source>
        <translation>Markdown，图片放在旁边 (*.md)</translation>
    </message>
    <message>
        <source>A page for every browser (*.html)</source>
        <translation>任何浏览器都能打开的网页 (*.html)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>JSON, which can be imported again with all branches (*.json)</source>
        <translation>JSON，可连同所有分支再次导入 (*.json)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation>导出对话</translation>
    </message>
</context>
<context>
    <name>SidebarViewModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation>{title}（副本）</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>已删除“{title}”</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Saved as {file}</source>
        <translation>已存为 {file}</translation>
    </message>
    <message numerus="yes">
        <source>Saved as {file}, with a sentence for %n original(s) that could not be read</source>
        <translation>
            <numerusform>已保存为 {file}，其中 %n 份无法读取的原文以一句说明代替</numerusform>
        </translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>SparedCard</name>
    <message>
        <source>Never touched</source>
        <translation>绝不改动</translation>
    </message>
</context>
<context>
    <name>StepWords</name>
    <message>
        <source>old reasoning</source>
        <translation>旧的推理</translation>
    </message>
    <message>
        <source>pictures further back</source>
        <translation>较早的图片</translation>
    </message>
    <message>
        <source>new tool output</source>
        <translation>新的工具输出</translation>
    </message>
    <message>
        <source>what the cache has forgotten</source>
        <translation>缓存已遗忘的内容</translation>
    </message>
    <message>
        <source>what you laid down</source>
        <translation>你定下的要求</translation>
    </message>
    <message>
        <source>lines that say least</source>
        <translation>信息最少的行</translation>
    </message>
    <message>
        <source>session notes</source>
        <translation>会话笔记</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>files, read again</source>
        <translation>重新读取的文件</translation>
    </message>
    <message>
        <source>the summary as you wrote it</source>
        <translation>你改写的摘要</translation>
    </message>
    <message>
        <source>what alone is too large</source>
        <translation>单项过大的内容</translation>
    </message>
</context>
<context>
    <name>StoragePage</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Everything lies on this computer, in one folder. Nothing is sent elsewhere.</source>
        <translation>一切都在本机的一个文件夹里，不会发往别处。</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation>导出全部对话…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Database and vault</source>
        <translation>数据库与保管库</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Exports of ChatGPT and Claude, sessions of agents, JSON, Markdown</source>
        <translation>ChatGPT 与 Claude 的导出、智能体的会话、JSON、Markdown</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>All chats in one ZIP, which can be imported again. No settings and no keys.</source>
        <translation>全部对话放入一个 ZIP，可再次导入；不含设置与密钥。</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Made once a day, and before each upgrade of the database</source>
        <translation>每天一次，以及每次升级数据库之前</translation>
    </message>
    <message>
        <source>Metrics port</source>
        <translation>指标端口</translation>
    </message>
    <message>
        <source>Where Prometheus can read figures of chats, on this computer only, at /metrics; empty: nowhere</source>
        <translation>Prometheus 可在此端口的 /metrics 读取各对话的指标，仅限本机；留空则关闭</translation>
    </message>
    <message>
        <source>{database} database · {vault} vault</source>
        <translation>数据库 {database} · 保管库 {vault}</translation>
    </message>
    <message>
        <source>backup, restore, import, export, archive</source>
        <translation>备份、恢复、导入、导出、归档</translation>
    </message>
    <message>
        <source>before an upgrade</source>
        <translation>升级之前</translation>
    </message>
    <message>
        <source>daily</source>
        <translation>每日</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Restore the backup of {when}</source>
        <translation>恢复 {when} 的备份</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>尚无</translation>
    </message>
</context>
<context>
    <name>Suggesting</name>
    <message>
        <source>Edit your prompts</source>
        <translation>编辑你的提示词</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>SummaryForm</name>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Undo this version</source>
        <translation>撤销这个版本</translation>
    </message>
    <message>
        <source>Compression {n}</source>
        <translation>压缩 {n}</translation>
    </message>
    <message>
        <source>The model does not see this summary any more.</source>
        <translation>模型已经看不到这份摘要。</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>What you write is sent from the next compression on.</source>
        <translation>你写的内容从下一次压缩起发送。</translation>
    </message>
    <message>
        <source>The compression&apos;s own</source>
        <translation>压缩时写的</translation>
    </message>
    <message>
        <source>Yours, {when}</source>
        <translation>你写的，{when}</translation>
    </message>
    <message>
        <source>One a line; what and why parted by “ | ”.</source>
        <translation>每行一条；内容与原因用“ | ”隔开。</translation>
    </message>
    <message>
        <source>One a line; error and fix parted by “ | ”.</source>
        <translation>每行一条；错误与修复用“ | ”隔开。</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Active task</source>
        <translation>当前任务</translation>
    </message>
    <message>
        <source>Constraints and preferences</source>
        <translation>约束与偏好</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Errors and fixes</source>
        <translation>错误与修复</translation>
    </message>
    <message>
        <source>Resolved questions</source>
        <translation>已解决的问题</translation>
    </message>
    <message>
        <source>Open requests</source>
        <translation>待办请求</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Last action</source>
        <translation>最后的操作</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>Next steps</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>TimelineCard</name>
    <message>
        <source>less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo: {told}</source>
        <translation>撤销：{told}</translation>
    </message>
</context>
<context>
    <name>TimelineWords</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Each compression will stand here, with what it saved and a way back.</source>
        <translation>每次压缩都会列在这里，包括节省了多少和如何撤回。</translation>
    </message>
    <message>
        <source>Put back · {ago}</source>
        <translation>放回 · {ago}</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>before a message</source>
        <translation>在发送消息前</translation>
    </message>
    <message>
        <source>between messages</source>
        <translation>在消息之间</translation>
    </message>
    <message>
        <source>you asked for it</source>
        <translation>应你要求</translation>
    </message>
    <message>
        <source>the window was nearly full</source>
        <translation>窗口快满了</translation>
    </message>
</context>
<context>
    <name>ToolWords</name>
    <message>
        <source>Reads files, and what was folded out of the chat</source>
        <translation>读取文件，以及从对话中折叠出去的内容</translation>
    </message>
    <message>
        <source>Makes a file, or replaces one that was read</source>
        <translation>新建文件，或替换读过的文件</translation>
    </message>
    <message>
        <source>Replaces a text in a file that was read</source>
        <translation>替换读过的文件中的一段文字</translation>
    </message>
    <message>
        <source>Lists the files of a folder</source>
        <translation>列出文件夹中的文件</translation>
    </message>
    <message>
        <source>Finds lines in files by a pattern</source>
        <translation>按模式查找文件中的行</translation>
    </message>
    <message>
        <source>Runs a command in the chat&apos;s folder</source>
        <translation>在对话的文件夹中运行命令</translation>
    </message>
    <message>
        <source>Reads what a command in the background has written</source>
        <translation>读取后台命令写出的内容</translation>
    </message>
    <message>
        <source>Ends a command in the background</source>
        <translation>结束后台命令</translation>
    </message>
    <message>
        <source>Writes down a finding or a decision, which outlives compression</source>
        <translation>记下发现或决定，压缩后仍在</translation>
    </message>
    <message>
        <source>Keeps the list of tasks that you see</source>
        <translation>维护你看到的任务列表</translation>
    </message>
    <message>
        <source>Has a sub-agent do a task in a chat of its own</source>
        <translation>让子智能体在自己的对话中完成任务</translation>
    </message>
    <message>
        <source>Asks you, and waits for the answer</source>
        <translation>向你提问，并等待回答</translation>
    </message>
    <message>
        <source>Searches the web</source>
        <translation>搜索网络</translation>
    </message>
    <message>
        <source>Reads a public page</source>
        <translation>读取公开网页</translation>
    </message>
</context>
<context>
    <name>ToolsPage</name>
    <message>
        <source>Tools &amp; approvals</source>
        <translation>工具与许可</translation>
    </message>
    <message>
        <source>With tools a model reads in the folder you chose for a chat, and changes it or runs commands with your leave. Each tool it is given costs some tokens with every request.</source>
        <translation>有了工具，模型可以读取你为对话选择的文件夹，并在你许可后修改文件或运行命令。每个工具都会让每次请求多用一些 Token。</translation>
    </message>
    <message>
        <source>Give models tools</source>
        <translation>为模型提供工具</translation>
    </message>
    <message>
        <source>Web</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Pages of public addresses are fetched, with your leave</source>
        <translation>在你许可后获取公开地址的网页</translation>
    </message>
    <message>
        <source>Tools for the web</source>
        <translation>网络工具</translation>
    </message>
    <message>
        <source>approval, permission, folder, sandbox, shell, search engine</source>
        <translation>许可、权限、文件夹、沙箱、命令行、搜索引擎</translation>
    </message>
    <message>
        <source>So often a turn asks the model before it asks you whether to go on</source>
        <translation>一轮中请求模型达到这个次数后，会问你是否继续</translation>
    </message>
    <message>
        <source>Requests a turn</source>
        <translation>每轮请求次数</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Web search</source>
        <translation>网络搜索</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Who is asked when a model searches the web</source>
        <translation>模型搜索网络时向谁查询</translation>
    </message>
    <message>
        <source>Address of the search server</source>
        <translation>搜索服务器的地址</translation>
    </message>
    <message>
        <source>Search server</source>
        <translation>搜索服务器</translation>
    </message>
    <message>
        <source>Of SearXNG: yours, or one you trust</source>
        <translation>SearXNG 的地址：自己的，或你信任的</translation>
    </message>
    <message>
        <source>Key of the web search</source>
        <translation>网络搜索的密钥</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Search key</source>
        <translation>搜索密钥</translation>
    </message>
    <message>
        <source>Kept where the keys of providers are</source>
        <translation>与服务商的密钥保存在一起</translation>
    </message>
    <message>
        <source>Without a question</source>
        <translation>无需询问</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>询问我</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Nothing is allowed always yet.</source>
        <translation>还没有始终允许的操作。</translation>
    </message>
    <message>
        <source>What you answered with Always</source>
        <translation>你回答过“始终”的操作</translation>
    </message>
    <message>
        <source>Always allowed</source>
        <translation>始终允许</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Folders to read</source>
        <translation>可读文件夹</translation>
    </message>
    <message>
        <source>Every chat may read in them, beside its own folder</source>
        <translation>除自己的文件夹外，每个对话都可以读取</translation>
    </message>
    <message>
        <source>Folders to write</source>
        <translation>可写文件夹</translation>
    </message>
    <message>
        <source>Every chat may write to them, with your leave</source>
        <translation>在你许可后，每个对话都可以写入</translation>
    </message>
    <message>
        <source>Commands reach the network</source>
        <translation>命令可访问网络</translation>
    </message>
    <message>
        <source>≈ {n} tokens</source>
        <translation>≈ {n} Token</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Files in the chat&apos;s folder, and in those below</source>
        <translation>对话文件夹以及下列文件夹中的文件</translation>
    </message>
    <message>
        <source>Change files</source>
        <translation>修改文件</translation>
    </message>
    <message>
        <source>You are shown the change first</source>
        <translation>会先让你看到改动</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Run commands</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>You are shown the whole command first</source>
        <translation>会先让你看到完整命令</translation>
    </message>
    <message>
        <source>Reach other computers</source>
        <translation>访问其他计算机</translation>
    </message>
    <message>
        <source>Tools of MCP servers</source>
        <translation>MCP 服务器的工具</translation>
    </message>
    <message>
        <source>Whatever a server of yours does; each has a setting of its own beside this one</source>
        <translation>你的服务器所做的一切；每个服务器另有自己的设置</translation>
    </message>
    <message>
        <source>Install software</source>
        <translation>安装软件</translation>
    </message>
    <message>
        <source>What may do harm</source>
        <translation>可能有害的操作</translation>
    </message>
    <message>
        <source>Or can&apos;t be judged: never without a question</source>
        <translation>或无法判断：总要先询问</translation>
    </message>
    <message>
        <source>Commands run in a sandbox: they see the folders of their chat and the system alone.</source>
        <translation>命令在沙箱中运行：只能看到所属对话的文件夹和系统本身。</translation>
    </message>
    <message>
        <source>This system has no sandbox for commands: what you allow can reach all that you can, and the network. Install bubblewrap to have one on Linux.</source>
        <translation>此系统没有用于命令的沙箱：你允许的操作能访问你能访问的一切，以及网络。在 Linux 上安装 bubblewrap 即可获得沙箱。</translation>
    </message>
</context>
<context>
    <name>TrashPage</name>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Deleted chats stay here for 30 days. Put one back, and it is as it was.</source>
        <translation>删除的对话会在这里保留 30 天。放回后，一切如初。</translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <source>Empty the trash…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>deleted chats, restore, put back</source>
        <translation>已删除的对话，恢复，放回，还原</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s) for good?</source>
        <translation>
            <numerusform>永久删除 %n 个对话？</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete “{title}” for good?</source>
        <translation>永久删除“{title}”？</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) go, with their attachments, folds and summaries. Nothing brings them back.</source>
        <translation>
            <numerusform>%n 条消息及其附件、折叠和摘要都会被删除，无法恢复。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n original(s) that you keep for ever stay.</source>
        <translation>
            <numerusform>你选择永久保留的 %n 份原文会留下。</numerusform>
        </translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>What {chats} shares with it stays there.</source>
        <translation>{chats} 与它共有的内容会保留在那里。</translation>
    </message>
    <message>
        <source>These backups still hold it until they are replaced: {files}</source>
        <translation>以下备份在被替换之前仍保存着它：{files}</translation>
    </message>
</context>
<context>
    <name>TrashRow</name>
    <message>
        <source>Deleted {when}</source>
        <translation>删除于 {when}</translation>
    </message>
    <message numerus="yes">
        <source>goes for good in %n day(s)</source>
        <translation>
            <numerusform>%n 天后永久删除</numerusform>
        </translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>放回</translation>
    </message>
    <message>
        <source>Put back {title}</source>
        <translation>放回 {title}</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>永久删除…</translation>
    </message>
    <message>
        <source>Delete {title} for good</source>
        <translation>永久删除 {title}</translation>
    </message>
</context>
<context>
    <name>TurnsList</name>
    <message>
        <source>Your messages</source>
        <translation>你的消息</translation>
    </message>
    <message>
        <source>Search your messages</source>
        <translation>搜索你的消息</translation>
    </message>
    <message>
        <source>No message has these words.</source>
        <translation>没有消息包含这些词。</translation>
    </message>
</context>
<context>
    <name>UsagePage</name>
    <message>
        <source>cost, money, tokens, price, spending</source>
        <translation>费用、钱、Token、价格、花费</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
    <message>
        <source>As providers reported it, in all chats that are still there; what was deleted for good counts no more. Prices are those of the model registry.</source>
        <translation>按服务商的报告，含所有还在的对话；彻底删除的不再计入。价格取自模型登记表。</translation>
    </message>
    <message>
        <source>By day</source>
        <translation>按天</translation>
    </message>
    <message>
        <source>By chat</source>
        <translation>按对话</translation>
    </message>
    <message>
        <source>By model</source>
        <translation>按模型</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 天</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>A year</source>
        <translation>一年</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>How far back</source>
        <translation>时间范围</translation>
    </message>
    <message>
        <source>No model has answered yet in this time.</source>
        <translation>这段时间还没有模型回答过。</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>写出</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>{read} tokens read, {cached} of them from the cache · {written} written · {cost}</source>
        <translation>读取 {read} Token，其中 {cached} 来自缓存 · 写出 {written} · {cost}</translation>
    </message>
</context>
<context>
    <name>ValueCard</name>
    <message>
        <source>less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>VaultPage</name>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Saved as {file}</source>
        <translation>已保存为 {file}</translation>
    </message>
</context>
<context>
    <name>VaultView</name>
    <message>
        <source>Originals</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>That is too much for the clipboard; save it instead.</source>
        <translation>内容太多，剪贴板放不下；请改为保存。</translation>
    </message>
</context>
<context>
    <name>VaultWords</name>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>{n} lines</source>
        <translation>{n} 行</translation>
    </message>
    <message>
        <source>on another branch</source>
        <translation>在另一个分支上</translation>
    </message>
    <message>
        <source>in the context</source>
        <translation>在上下文里</translation>
    </message>
    <message>
        <source>{shown} of {whole} tokens in the context</source>
        <translation>共 {whole} Token，上下文里有 {shown}</translation>
    </message>
    <message>
        <source>in a summary</source>
        <translation>在摘要里</translation>
    </message>
    <message>
        <source>not in the context</source>
        <translation>不在上下文里</translation>
    </message>
    <message>
        <source>kept for ever</source>
        <translation>永久保留</translation>
    </message>
    <message numerus="yes">
        <source>%n original(s)</source>
        <translation>
            <numerusform>%n 份原文</numerusform>
        </translation>
    </message>
    <message>
        <source>{size} in the vault</source>
        <translation>库中 {size}</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Nothing is called that.</source>
        <translation>没有这个名称的原文。</translation>
    </message>
    <message>
        <source>Long results, pastes, pictures and what a compression folds away will stand here, as they were.</source>
        <translation>长结果、粘贴的文本、图片，以及压缩时折叠起来的内容，都会原样放在这里。</translation>
    </message>
    <message>
        <source>Damaged: this is not what was put here; its hash differs.</source>
        <translation>已损坏：这不是当初放进来的内容，校验值不同。</translation>
    </message>
    <message>
        <source>{share}% read</source>
        <translation>已读取 {share}%</translation>
    </message>
    <message numerus="yes">
        <source>the model read %n line(s) again</source>
        <translation>
            <numerusform>模型重新读过 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>No tree: the JSON ends too early, at line {line}.</source>
        <translation>无法显示为树：JSON 在第 {line} 行过早结束。</translation>
    </message>
    <message>
        <source>No tree: at line {line} stands what JSON does not allow there.</source>
        <translation>无法显示为树：第 {line} 行的内容不符合 JSON 语法。</translation>
    </message>
    <message>
        <source>No tree: at line {line} something follows the end of the JSON.</source>
        <translation>无法显示为树：第 {line} 行在 JSON 结束之后还有内容。</translation>
    </message>
    <message>
        <source>No tree: at line {line} the JSON is nested too deep.</source>
        <translation>无法显示为树：第 {line} 行的 JSON 嵌套过深。</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>{n} of {of}</source>
        <translation>{n} / {of}</translation>
    </message>
    <message>
        <source>Put back in context (+{n})</source>
        <translation>放回上下文（+{n}）</translation>
    </message>
</context>
<context>
    <name>Viewer</name>
    <message>
        <source>Reading …</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Choose an original to look at it.</source>
        <translation>选择一份原文来查看。</translation>
    </message>
    <message>
        <source>This is neither text nor a picture. Save it to open it with another program.</source>
        <translation>它既不是文本也不是图片。保存后可用其他程序打开。</translation>
    </message>
    <message>
        <source>Search in it</source>
        <translation>在其中查找</translation>
    </message>
    <message>
        <source>Go to line</source>
        <translation>转到行</translation>
    </message>
    <message>
        <source>The hit before</source>
        <translation>上一个结果</translation>
    </message>
    <message>
        <source>The next hit</source>
        <translation>下一个结果</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Keep for ever</source>
        <translation>永久保留</translation>
    </message>
    <message>
        <source>Stays even when its chats are deleted for good.</source>
        <translation>即使所在对话被永久删除也会保留。</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Go to its message</source>
        <translation>转到所在消息</translation>
    </message>
    <message>
        <source>The original</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>The original as a tree</source>
        <translation>树形显示的原文</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Show all {n} lines</source>
        <translation>显示全部 {n} 行</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>load image from {host}?</source>
        <translation>从 {host} 加载图片？</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>New text below</source>
        <translation>下面有新内容</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一版本</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>You, pasted</source>
        <translation>你粘贴的</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Divider</source>
        <translation>分隔线</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Sub-agents</source>
        <translation>子智能体</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>WorkBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message>
        <source>It stands in another branch, which can be shown when the answer has ended</source>
        <translation>它在另一个分支中，回答结束后才能显示</translation>
    </message>
</context>
<context>
    <name>WorthCard</name>
    <message>
        <source>Is it worth it?</source>
        <translation>值得吗？</translation>
    </message>
    <message>
        <source>Facts checked, still reachable</source>
        <translation>已核对且仍可读到的事实</translation>
    </message>
    <message>
        <source>Show them, and where each can be read</source>
        <translation>显示它们，以及各自在哪里可以读到</translation>
    </message>
</context>
<context>
    <name>ZoomField</name>
    <message>
        <source>Zoom in percent</source>
        <translation>缩放百分比</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
</context>
</TS>
